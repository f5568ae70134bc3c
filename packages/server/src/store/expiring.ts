import { limits } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

/** An expired window restarts in its existing row. */
const hit = `
insert into rate_counts as counted (key, hits, expires_at) values ($1, 1, $3)
on conflict (key) do update set
  hits = case when counted.expires_at <= $2 then 1 else counted.hits + 1 end,
  expires_at = case when counted.expires_at <= $2 then excluded.expires_at else counted.expires_at end
returning hits, expires_at`

type HitRow = { readonly hits: number; readonly expires_at: number }

const counted = 'select hits, expires_at from rate_counts where key = $1'

const FORGOTTEN_AT_ONCE = 20_000

/** Rows locked by another transaction are left for the next time. */
const forget = (table: string): string => `
delete from ${table} where ctid = any(array(
  select ctid from ${table} where expires_at <= $1 order by expires_at limit ${FORGOTTEN_AT_ONCE} for update skip locked
))`

const expiring = [
  'burnt_signatures',
  'challenges',
  'rate_counts',
  'rate_windows',
  'repeat_keys',
  'webhook_deliveries',
  'task_announcements',
  'unreported_assignments',
  'skills',
  'owner_sessions',
  'sign_in_links',
  'agent_codes',
  'mails',
].map(forget)
const forgetMessages = forget('messages')
const forgetLinks = forget('identity_links')
/** Intakes that were never confirmed belong to nobody: they are deleted with all their content. */
const forgetIntakes = `delete from testing_requests where status = 'expired' and owner_id is null and ended_at <= $1`

export const expiringReads = (connection: Connection) =>
  ({
    async rateWindow(key) {
      const row = await connection.first<HitRow>(counted, [key])
      return row === null ? null : { hits: row.hits, endsAt: row.expires_at }
    },
  }) satisfies Partial<Reader>

/** Rows that expire. */
export const expiringWrites = (connection: Connection) =>
  ({
    async hit(key, now, windowMs) {
      const endsAt = now + windowMs
      const counted = await connection.first<HitRow>(hit, [key, isoTime(now), isoTime(endsAt)])
      return { hits: counted?.hits ?? 1, endsAt: counted?.expires_at ?? endsAt }
    },
    async forgetExpired(now) {
      let forgotten = 0
      for (const text of expiring) forgotten += await connection.change(text, [isoTime(now)])
      forgotten += await connection.change(forgetMessages, [isoTime(now - limits.message.keptMs)])
      forgotten += await connection.change(forgetLinks, [isoTime(now - limits.identityLink.keptMs)])
      forgotten += await connection.change(forgetIntakes, [isoTime(now - limits.testing.intakeKeptMs)])
      return forgotten
    },
  }) satisfies Partial<Transaction>

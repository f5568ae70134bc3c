import { limits } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { foldTallies } from './tallies.ts'

const hit = `
insert into rate_windows as counted (key, window_start, hits, expires_at) values ($1, $2, 1, $3)
on conflict (key, window_start) do update set hits = counted.hits + 1
returning hits`

const FORGOTTEN_AT_ONCE = 20_000

/** Rows that somebody else is just using are left for the next time. */
const forget = (table: string): string => `
delete from ${table} where ctid = any(array(
  select ctid from ${table} where expires_at <= $1 order by expires_at limit ${FORGOTTEN_AT_ONCE} for update skip locked
))`

const passing = [
  'burnt_signatures',
  'challenges',
  'rate_windows',
  'repeat_keys',
  'webhook_deliveries',
  'task_announcements',
  'skills',
  'owner_sessions',
  'sign_in_links',
  'agent_codes',
  'mails',
].map(forget)
const forgetMessages = forget('messages')
const forgetLinks = forget('identity_links')
/** Intakes that nobody has confirmed are nobody's: they go for good, with all that stood in them. */
const forgetIntakes = `delete from testing_requests where status = 'expired' and owner_id is null and ended_at <= $1`

/** What is kept only for a while. */
export const passingWrites = (connection: Connection) =>
  ({
    hit: async (key, windowStart, expiresAt) => {
      const values = [key, isoTime(windowStart), isoTime(expiresAt)]
      return (await connection.first<{ hits: number }>(hit, values))?.hits ?? 1
    },
    async forgetExpired(now) {
      let forgotten = 0
      for (const text of passing) forgotten += await connection.change(text, [isoTime(now)])
      forgotten += await connection.change(forgetMessages, [isoTime(now - limits.message.keptMs)])
      forgotten += await connection.change(forgetLinks, [isoTime(now - limits.identityLink.keptMs)])
      forgotten += await connection.change(forgetIntakes, [isoTime(now - limits.testing.intakeKeptMs)])
      await foldTallies(connection)
      return forgotten
    },
  }) satisfies Partial<Transaction>

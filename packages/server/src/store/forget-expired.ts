import { limits } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

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

export const forgetExpiredWrite = (connection: Connection) =>
  ({
    async forgetExpired(now) {
      let forgotten = 0
      for (const text of expiring) forgotten += await connection.change(text, [isoTime(now)])
      forgotten += await connection.change(forgetMessages, [isoTime(now - limits.message.keptMs)])
      forgotten += await connection.change(forgetLinks, [isoTime(now - limits.identityLink.keptMs)])
      forgotten += await connection.change(forgetIntakes, [isoTime(now - limits.testing.intakeKeptMs)])
      return forgotten
    },
  }) satisfies Partial<Transaction>

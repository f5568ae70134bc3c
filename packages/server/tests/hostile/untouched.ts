import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { Stage } from '../support/stage.ts'

/** What no refused call may change. Counters of requests, announcements and keys that lapse by themselves are not in it. */
const TABLES = [
  'agents',
  'agent_search',
  'reputations',
  'assignments',
  'verifications',
  'tasks',
  'submissions',
  'receipts',
  'transfers',
  'postings',
  'payment_events',
  'ledger_pending',
  'ledger_entries',
  'burnt_signatures',
  'burnt_wallet_nonces',
  'manage_tokens',
  'messages',
  'webhooks',
  'owners',
  'owner_sessions',
  'sign_in_links',
  'agent_owners',
  'agent_codes',
  'identity_links',
  'agent_identities',
  'feedback',
  'testing_requests',
] as const

/** A look at the database that differs as soon as a row does. */
export function watchRows(stage: Stage): { look(): Promise<string> } {
  let sql: Client
  beforeAll(async () => {
    sql = new Client({ connectionString: stage.databaseUrl })
    await sql.connect()
  })
  afterAll(() => sql.end())
  const parts = TABLES.map(
    (table) =>
      `(select coalesce(md5(string_agg(row::text, ' ' order by row::text)), '') from ${table} row) as ${table}`,
  )
  const text = `select ${parts.join(', ')}`
  return { look: async () => JSON.stringify((await sql.query({ name: 'rows', text })).rows[0], null, 1) }
}

import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../tests/support/database.ts'

let database: FreshDatabase
let sql: Client
beforeAll(async () => {
  database = await freshDatabase()
  sql = new Client({ connectionString: database.url })
  await sql.connect()
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

test.each([
  'update ledger_entries set profile_hash = entry_hash',
  'delete from ledger_entries where sequence = 1',
  'truncate ledger_entries cascade',
  "update merkle_nodes set hash = sha256('x')",
  'delete from merkle_nodes',
  'truncate merkle_nodes',
  "update checkpoints set signature = ''",
  'delete from checkpoints',
  'truncate checkpoints',
  'update postings set amount = amount + 1',
  'delete from postings',
  'truncate postings',
  'truncate transfers cascade',
  'update payment_events set details = null',
  'delete from payment_events',
  'truncate payment_events',
  'truncate tasks cascade',
])('the database itself refuses: %s', async (statement) => {
  await expect(sql.query(statement)).rejects.toThrow('is written once and never changed')
})

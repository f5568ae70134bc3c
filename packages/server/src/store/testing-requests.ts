import { isoTime } from '../domain/instant.ts'
import type { TestingReads, TestingWrites } from '../ports/testing-store.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'
import { columnsOf, insertInto, updateAllBut } from './table.ts'
import { type TestingRequestRow, testingRequestTable } from './testing-rows.ts'
import { whereGiven } from './where-given.ts'

const requests = `select ${columnsOf(testingRequestTable, 'r')} from testing_requests r`

const insertion = insertInto(testingRequestTable)
const update = updateAllBut(testingRequestTable, 'id', ['email', 'scope', 'scope_hash', 'retest_of', 'created_at'])

const due = `
(select id from testing_requests where post_at is not null and post_at <= $1 order by post_at limit $2)
union all
(select id from testing_requests where status = 'unconfirmed' and confirm_by <= $1 order by confirm_by limit $2)`

const troubled = `where r.status in ('approved', 'running') and r.trouble is not null order by r.id limit $1`

/** A union of two index scans instead of one OR. */
const ofOwner = `
select * from (
  (${requests} where r.owner_id = $1 and ($3::text is null or r.id < $3) order by r.id desc limit $4)
  union all
  (${requests} where r.email = $2 and r.status = 'unconfirmed' and ($3::text is null or r.id < $3) order by r.id desc limit $4)
) own order by id desc limit $4`

type RequestReads = Pick<
  TestingReads,
  | 'testingRequest'
  | 'listTestingRequests'
  | 'troubledTestingRequests'
  | 'ownerTestingRequests'
  | 'pendingIntakes'
  | 'openTestingRequests'
  | 'dueTestingRequests'
>
type RequestWrites = Pick<TestingWrites, 'insertTestingRequest' | 'lockTestingRequest' | 'saveTestingRequest'>

export const testingRequestReads = (connection: Connection): RequestReads => ({
  testingRequest: (id) => readOne(connection, testingRequestTable.read, `${requests} where r.id = $1`, [id]),
  async listTestingRequests({ status, before, limit }) {
    const { where, given } = whereGiven({ 'r.status =': status, 'r.id <': before }, 2)
    const text = `${requests} ${where} order by r.id desc limit $1`
    const rows = await connection.rows<TestingRequestRow>(text, [limit, ...given])
    return rows.map(testingRequestTable.read)
  },
  async troubledTestingRequests(limit) {
    const rows = await connection.rows<TestingRequestRow>(`${requests} ${troubled}`, [limit])
    return rows.map(testingRequestTable.read)
  },
  async ownerTestingRequests({ ownerId, email, before, limit }) {
    const rows = await connection.rows<TestingRequestRow>(ofOwner, [ownerId, email, before, limit])
    return rows.map(testingRequestTable.read)
  },
  async pendingIntakes(email, now) {
    const text = `
      select confirm_by from testing_requests
      where email = $1 and status = 'unconfirmed' and confirm_by > $2 order by confirm_by`
    const rows = await connection.rows<{ confirm_by: number }>(text, [email, isoTime(now)])
    return rows.map(({ confirm_by }) => confirm_by)
  },
  async openTestingRequests(ownerId) {
    const text = `
      select count(*)::int as count from testing_requests
      where owner_id = $1 and status in ('confirmed', 'approved', 'running')`
    return (await connection.first<{ count: number }>(text, [ownerId]))?.count ?? 0
  },
  async dueTestingRequests(now, limit) {
    return (await connection.rows<{ id: string }>(due, [isoTime(now), limit])).map(({ id }) => id)
  },
})

export const testingRequestWrites = (connection: Connection): RequestWrites => ({
  async insertTestingRequest(request) {
    await connection.change(insertion.text, insertion.values(request))
  },
  lockTestingRequest: (id) =>
    readOne(connection, testingRequestTable.read, `${requests} where r.id = $1 for no key update`, [id]),
  async saveTestingRequest(request) {
    await connection.change(update.text, update.values(request))
  },
})

import type { TestingReport } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { TestingRequest, TestingRun } from '../domain/testing/request.ts'
import type { TestingReads, TestingWrites } from '../ports/testing-store.ts'
import type { Connection } from './connection.ts'
import { columnsOf, insertInto, updateAllBut } from './table.ts'
import {
  type TestingRequestRow,
  type TestingRunRow,
  type TestingWorkerRow,
  testingRequestTable,
  testingRunTable,
  testingWorkerTable,
} from './testing-rows.ts'

const requests = `select ${columnsOf(testingRequestTable, 'r')} from testing_requests r`
const runs = `select ${columnsOf(testingRunTable, 'r')} from testing_runs r`
const workers = `select ${columnsOf(testingWorkerTable, 'w')} from testing_workers w`

const requestInsertion = insertInto(testingRequestTable)
const requestUpdate = updateAllBut(testingRequestTable, 'id', [
  'email',
  'scope',
  'scope_hash',
  'retest_of',
  'created_at',
])
const runInsertion = insertInto(testingRunTable)
const runUpdate = updateAllBut(testingRunTable, 'assignment_id', [
  'request_id',
  'run',
  'attempt',
  'task_id',
  'created_at',
])
const workerInsertion = insertInto(testingWorkerTable)
const workerSaving = `${workerInsertion.text}
on conflict (agent_id) do update
set allow_listed = excluded.allow_listed, suspended_for = excluded.suspended_for, granted_at = excluded.granted_at,
  expires_at = excluded.expires_at`

const dueRequests = `
(select id from testing_requests where post_at is not null and post_at <= $1 order by post_at limit $2)
union all
(select id from testing_requests where status = 'unconfirmed' and confirm_by <= $1 order by confirm_by limit $2)`

const dueRuns = `
select r.task_id from testing_runs r join tasks t on t.id = r.task_id
where r.outcome is null
  and (r.decision is not null
    or t.status in ('verified', 'cancelled', 'expired')
    or (t.status = 'open' and t.escrow_status = 'unfunded' and (r.retry_at is null or r.retry_at <= $1)))
order by r.task_id limit $2`

const deliveries = `
select r.task_id from testing_runs r join tasks t on t.id = r.task_id
where r.outcome is null and t.status = 'submitted'
order by t.submitted_at limit $1`

/** A union of two index scans instead of one OR. */
const ofOwner = `
select * from (
  (${requests} where r.owner_id = $1 and ($3::text is null or r.id < $3) order by r.id desc limit $4)
  union all
  (${requests} where r.email = $2 and r.status = 'unconfirmed' and ($3::text is null or r.id < $3) order by r.id desc limit $4)
) own order by id desc limit $4`

type Ids = { readonly id: string }
type TaskIds = { readonly task_id: string }
type Count = { readonly count: number }

const oneRequest = async (connection: Connection, text: string, id: string): Promise<TestingRequest | null> => {
  const row = await connection.first<TestingRequestRow>(text, [id])
  return row === null ? null : testingRequestTable.read(row)
}

const oneRun = async (connection: Connection, text: string, taskId: string): Promise<TestingRun | null> => {
  const row = await connection.first<TestingRunRow>(text, [taskId])
  return row === null ? null : testingRunTable.read(row)
}

export const testingReads = (connection: Connection): TestingReads => ({
  testingRequest: (id) => oneRequest(connection, `${requests} where r.id = $1`, id),
  async listTestingRequests({ status, before, limit }) {
    const given = [
      { condition: 'r.status =', value: status },
      { condition: 'r.id <', value: before },
    ].filter(({ value }) => value !== null)
    const filters = given.map(({ condition }, place) => `${condition} $${place + 2}`)
    const where = filters.length === 0 ? '' : `where ${filters.join(' and ')}`
    const values = [limit, ...given.map(({ value }) => value)]
    const rows = await connection.rows<TestingRequestRow>(`${requests} ${where} order by r.id desc limit $1`, values)
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
    return (await connection.first<Count>(text, [ownerId]))?.count ?? 0
  },
  async testingRuns(requestId) {
    const text = `${runs} where r.request_id = $1 order by r.run, r.attempt`
    return (await connection.rows<TestingRunRow>(text, [requestId])).map(testingRunTable.read)
  },
  testingRunOf: (taskId) => oneRun(connection, `${runs} where r.task_id = $1`, taskId),
  async testingReport(requestId) {
    const text = 'select report from testing_reports where request_id = $1'
    return (await connection.first<{ report: TestingReport }>(text, [requestId]))?.report ?? null
  },
  async testingWorker(agentId) {
    const row = await connection.first<TestingWorkerRow>(`${workers} where w.agent_id = $1`, [agentId])
    return row === null ? null : testingWorkerTable.read(row)
  },
  async listTestingWorkers(limit) {
    const rows = await connection.rows<TestingWorkerRow>(`${workers} order by w.expires_at, w.agent_id limit $1`, [
      limit,
    ])
    return rows.map(testingWorkerTable.read)
  },
  async houseAgentId() {
    const text = 'select id from agents where house order by registered_at limit 1'
    return (await connection.first<Ids>(text))?.id ?? null
  },
  async dueTestingRequests(now, limit) {
    return (await connection.rows<Ids>(dueRequests, [isoTime(now), limit])).map(({ id }) => id)
  },
  async dueTestingRuns(now, limit) {
    return (await connection.rows<TaskIds>(dueRuns, [isoTime(now), limit])).map((row) => row.task_id)
  },
  async testingDeliveries(limit) {
    return (await connection.rows<TaskIds>(deliveries, [limit])).map((row) => row.task_id)
  },
})

export const testingWrites = (connection: Connection): TestingWrites => ({
  async insertTestingRequest(request) {
    await connection.change(requestInsertion.text, requestInsertion.values(request))
  },
  lockTestingRequest: (id) => oneRequest(connection, `${requests} where r.id = $1 for no key update`, id),
  async saveTestingRequest(request) {
    await connection.change(requestUpdate.text, requestUpdate.values(request))
  },
  async insertTestingRun(run) {
    await connection.change(runInsertion.text, runInsertion.values(run))
  },
  lockTestingRun: (taskId) => oneRun(connection, `${runs} where r.task_id = $1 for no key update`, taskId),
  async saveTestingRun(run) {
    await connection.change(runUpdate.text, runUpdate.values(run))
  },
  async insertTestingReport(requestId, report, at) {
    const text = `
      insert into testing_reports (request_id, report, compiled_at) values ($1, $2, $3) on conflict do nothing`
    return (await connection.change(text, [requestId, JSON.stringify(report), isoTime(at)])) === 1
  },
  async saveTestingWorker(worker) {
    await connection.change(workerSaving, workerInsertion.values(worker))
  },
})

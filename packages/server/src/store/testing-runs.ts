import type { TestingReport } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { TestingReads, TestingWrites } from '../ports/testing-store.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'
import { columnsOf, insertInto, updateAllBut } from './table.ts'
import { type TestingRunRow, testingRunTable } from './testing-rows.ts'

const runs = `select ${columnsOf(testingRunTable, 'r')} from testing_runs r`

const insertion = insertInto(testingRunTable)
const update = updateAllBut(testingRunTable, 'assignment_id', ['request_id', 'run', 'attempt', 'task_id', 'created_at'])

const due = `
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

type RunReads = Pick<
  TestingReads,
  'testingRuns' | 'testingRunOf' | 'testingReport' | 'dueTestingRuns' | 'testingDeliveries'
>
type RunWrites = Pick<TestingWrites, 'insertTestingRun' | 'lockTestingRun' | 'saveTestingRun' | 'insertTestingReport'>

type TaskIds = { readonly task_id: string }

export const testingRunReads = (connection: Connection): RunReads => ({
  async testingRuns(requestId) {
    const text = `${runs} where r.request_id = $1 order by r.run, r.attempt`
    return (await connection.rows<TestingRunRow>(text, [requestId])).map(testingRunTable.read)
  },
  testingRunOf: (taskId) => readOne(connection, testingRunTable.read, `${runs} where r.task_id = $1`, [taskId]),
  async testingReport(requestId) {
    const text = 'select report from testing_reports where request_id = $1'
    return (await connection.first<{ report: TestingReport }>(text, [requestId]))?.report ?? null
  },
  async dueTestingRuns(now, limit) {
    return (await connection.rows<TaskIds>(due, [isoTime(now), limit])).map((row) => row.task_id)
  },
  async testingDeliveries(limit) {
    return (await connection.rows<TaskIds>(deliveries, [limit])).map((row) => row.task_id)
  },
})

export const testingRunWrites = (connection: Connection): RunWrites => ({
  async insertTestingRun(run) {
    await connection.change(insertion.text, insertion.values(run))
  },
  lockTestingRun: (taskId) =>
    readOne(connection, testingRunTable.read, `${runs} where r.task_id = $1 for no key update`, [taskId]),
  async saveTestingRun(run) {
    await connection.change(update.text, update.values(run))
  },
  async insertTestingReport(requestId, report, at) {
    const text = `
      insert into testing_reports (request_id, report, compiled_at) values ($1, $2, $3) on conflict do nothing`
    return (await connection.change(text, [requestId, JSON.stringify(report), isoTime(at)])) === 1
  },
})

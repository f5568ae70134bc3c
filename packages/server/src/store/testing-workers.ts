import type { TestingReads, TestingWrites } from '../ports/testing-store.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'
import { columnsOf, insertInto } from './table.ts'
import { type TestingWorkerRow, testingWorkerTable } from './testing-rows.ts'

const workers = `select ${columnsOf(testingWorkerTable, 'w')} from testing_workers w`

const insertion = insertInto(testingWorkerTable)
const saving = `${insertion.text}
on conflict (agent_id) do update
set allow_listed = excluded.allow_listed, suspended_for = excluded.suspended_for, granted_at = excluded.granted_at,
  expires_at = excluded.expires_at`

type WorkerReads = Pick<TestingReads, 'testingWorker' | 'listTestingWorkers' | 'houseAgentId'>

export const testingWorkerReads = (connection: Connection): WorkerReads => ({
  testingWorker: (agentId) =>
    readOne(connection, testingWorkerTable.read, `${workers} where w.agent_id = $1`, [agentId]),
  async listTestingWorkers(limit) {
    const rows = await connection.rows<TestingWorkerRow>(`${workers} order by w.expires_at, w.agent_id limit $1`, [
      limit,
    ])
    return rows.map(testingWorkerTable.read)
  },
  async houseAgentId() {
    const text = 'select id from agents where house order by registered_at limit 1'
    return (await connection.first<{ id: string }>(text))?.id ?? null
  },
})

export const testingWorkerWrites = (connection: Connection): Pick<TestingWrites, 'saveTestingWorker'> => ({
  async saveTestingWorker(worker) {
    await connection.change(saving, insertion.values(worker))
  },
})

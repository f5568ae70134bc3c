import { isoTime } from '../domain/instant.ts'
import type { OperatorReads } from '../ports/operator-store.ts'
import type { Connection } from './connection.ts'
import { columnsOf } from './table.ts'
import type { TaskRow } from './task-row.ts'
import { taskTable } from './task-table.ts'
import { type TransferRow, transferTable } from './transfer-row.ts'

const disputed = `
select ${columnsOf(taskTable, 't')} from tasks t
where t.status = 'submitted' and t.review_state = 'disputed' order by t.disputed_at limit $1`

const select = `select ${columnsOf(transferTable, 't')} from transfers t`
const stuck = `
(${select} where t.state = 'intended' and t.created_at <= $1 order by t.created_at limit $2)
union all
(${select} where t.state = 'superseded' or (t.state = 'dead' and t.deposit_id is not null) order by t.created_at limit $2)
order by created_at limit $2`

export const operatorReads = (connection: Connection): OperatorReads => ({
  disputedTasks: async (limit) => (await connection.rows<TaskRow>(disputed, [limit])).map(taskTable.read),
  stuckTransfers: async (before, limit) =>
    (await connection.rows<TransferRow>(stuck, [isoTime(before), limit])).map(transferTable.read),
})

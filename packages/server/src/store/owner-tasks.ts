import type { Reader } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { columnsOf } from './table.ts'
import { type TaskRow, taskTable } from './task-row.ts'

/** Ids sort by time, and every id sorts before a tilde. */
const AFTER_ALL = '~'

const page = `
select ${columnsOf(taskTable, 't')} from tasks t
where t.creator_kind = 'owner' and t.creator_id = $1 and t.id < $2 and ($3::text[] is null or t.status = any($3))
order by t.id desc
limit $4`

export const ownerTaskReads = (connection: Connection) =>
  ({
    async ownerTasks({ ownerId, statuses, before, limit }) {
      const rows = await connection.rows<TaskRow>(page, [ownerId, before ?? AFTER_ALL, statuses, limit])
      return rows.map((row) => taskTable.read(row))
    },
  }) satisfies Partial<Reader>

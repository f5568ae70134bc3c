import type { Connection } from './connection.ts'
import { inColumns, type RowStatement, rowsFrom } from './row-statement.ts'

/** What many change in one total is written as one change of it. */
const add: RowStatement = {
  one: 'insert into tally_changes (topic, item, change) values ($1, $2, $3)',
  many: `
insert into tally_changes (topic, item, change)
select topic, item, sum(change) from ${rowsFrom({ topic: 'text', item: 'text', change: 'bigint' })}
group by topic, item having sum(change) <> 0`,
  pack: inColumns,
}

export const tally = (connection: Connection, topic: string, item: string, change: number): Promise<void> =>
  connection.writeRow(add, [topic, item, change])

import { isoTime } from '../domain/instant.ts'
import type { MessageFilter, MessageReads, MessageWrites } from '../ports/message-store.ts'
import type { Connection } from './connection.ts'
import { type MessageRow, messageTable } from './message-row.ts'
import { readOne } from './read-one.ts'
import { columnsOf, insertInto } from './table.ts'

const select = `select ${columnsOf(messageTable, 'm')} from messages m`
const insertion = insertInto(messageTable)

/** Ids sort by time, so the index of a box returns its pages in order. */
function pageOf({ box, status, type }: MessageFilter): string {
  const conditions = [
    `m.${box === 'received' ? 'to_agent_id' : 'from_agent_id'} = $1`,
    ...(status === null ? [] : ['m.status = $4']),
    ...(type === null ? [] : [`m.type = $${status === null ? 4 : 5}`]),
  ]
  return `${select} where ${conditions.join(' and ')} order by m.id desc limit $2 offset $3`
}

/** The condition equals that of the partial index. */
const due = `
select id from messages
where status in ('pending', 'delivered', 'read') and expires_at <= $1
order by expires_at limit $2`

/** Locked in the order of ids, so that two transactions cannot deadlock. */
const move = `
with held as (
  select id from messages where id = any($1) and status = $2 order by id for no key update
)
update messages m set status = $3, updated_at = $4 from held where m.id = held.id and m.status = $2`

export const messageReads = (connection: Connection): MessageReads => ({
  message: (id) => readOne(connection, messageTable.read, `${select} where m.id = $1`, [id]),
  async listMessages(filter) {
    const { agentId, status, type, limit, offset } = filter
    const filters = [status, type].filter((value) => value !== null)
    const rows = await connection.rows<MessageRow>(pageOf(filter), [agentId, limit, offset, ...filters])
    return rows.map(messageTable.read)
  },
  dueMessages: async (now, limit) =>
    (await connection.rows<{ id: string }>(due, [isoTime(now), limit])).map(({ id }) => id),
})

export const messageWrites = (connection: Connection): MessageWrites => ({
  async insertMessage(message) {
    await connection.change(insertion.text, insertion.values(message))
  },
  lockMessage: (id) => readOne(connection, messageTable.read, `${select} where m.id = $1 for no key update`, [id]),
  moveMessages: (ids, from, to, at) =>
    ids.length === 0 ? Promise.resolve(0) : connection.change(move, [ids, from, to, isoTime(at)]),
})

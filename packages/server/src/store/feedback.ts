import { isoTime } from '../domain/instant.ts'
import type { FeedbackReads, FeedbackWrites } from '../ports/feedback-store.ts'
import type { Connection } from './connection.ts'
import { type FeedbackRow, feedbackTable } from './feedback-row.ts'
import { columnsOf, insertInto } from './table.ts'
import { whereGiven } from './where-given.ts'

const insertion = insertInto(feedbackTable)

const select = `select ${columnsOf(feedbackTable, 'f')} from feedback f`
const mark = 'update feedback set status = $2, note = coalesce($3, note), updated_at = $4 where id = $1'

export const feedbackReads = (connection: Connection): FeedbackReads => ({
  /** Ids sort by time: a page continues below the last id of the previous page. */
  async listFeedback({ status, before, limit }) {
    const { where, given } = whereGiven({ 'f.status =': status, 'f.id <': before }, 2)
    const rows = await connection.rows<FeedbackRow>(`${select} ${where} order by f.id desc limit $1`, [limit, ...given])
    return rows.map(feedbackTable.read)
  },
})

export const feedbackWrites = (connection: Connection): FeedbackWrites => ({
  async insertFeedback(feedback) {
    await connection.change(insertion.text, insertion.values(feedback))
  },
  markFeedback: async (id, status, note, at) => (await connection.change(mark, [id, status, note, isoTime(at)])) === 1,
})

import { isoTime } from '../domain/instant.ts'
import type { FeedbackReads, FeedbackWrites } from '../ports/feedback-store.ts'
import type { Connection } from './connection.ts'
import { type FeedbackRow, feedbackTable } from './feedback-row.ts'
import { columnsOf, insertInto } from './table.ts'

const insertion = insertInto(feedbackTable)

/** Ids sort by time: a page continues below the last id of the previous page. */
const page = (filters: readonly string[]): string => `
select ${columnsOf(feedbackTable, 'f')} from feedback f
${filters.length === 0 ? '' : `where ${filters.join(' and ')}`}
order by f.id desc limit $1`

const mark = 'update feedback set status = $2, note = coalesce($3, note), updated_at = $4 where id = $1'

export const feedbackReads = (connection: Connection): FeedbackReads => ({
  async listFeedback({ status, before, limit }) {
    const given = [
      { condition: 'f.status =', value: status },
      { condition: 'f.id <', value: before },
    ].filter(({ value }) => value !== null)
    const filters = given.map(({ condition }, place) => `${condition} $${place + 2}`)
    const rows = await connection.rows<FeedbackRow>(page(filters), [limit, ...given.map(({ value }) => value)])
    return rows.map(feedbackTable.read)
  },
})

export const feedbackWrites = (connection: Connection): FeedbackWrites => ({
  async insertFeedback(feedback) {
    await connection.change(insertion.text, insertion.values(feedback))
  },
  markFeedback: async (id, status, note, at) => (await connection.change(mark, [id, status, note, isoTime(at)])) === 1,
})

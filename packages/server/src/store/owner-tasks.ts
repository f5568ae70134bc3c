import { isoTime } from '../domain/instant.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { columnsOf } from './table.ts'
import type { TaskRow } from './task-row.ts'
import { taskTable } from './task-table.ts'

/** Ids sort by time, and every id sorts before a tilde. */
const AFTER_ALL = '~'

const page = `
select ${columnsOf(taskTable, 't')} from tasks t
where t.creator_kind = 'owner' and t.creator_id = $1 and t.id < $2 and ($3::text[] is null or t.status = any($3))
order by t.id desc
limit $4`

/** A delivery to review, a bounty that is due as in `isPaymentDue`, or a deposit that failed, perhaps during the work. */
const waiting = `
select ${columnsOf(taskTable, 't')} from tasks t
where t.creator_kind = 'owner' and t.creator_id = $1
  and (t.status = 'submitted'
    or (t.status in ('open', 'claimed') and t.escrow_status = 'unfunded')
    or (t.status = 'verified' and t.bounty_amount is not null and t.escrow_status is null
      and t.payment_status in ('pending', 'expired')))
order by t.id
limit $2`

const ending = `
select t.id from tasks t
where t.creator_kind = 'owner' and t.status = 'submitted' and t.auto_release_at > $1 and t.auto_release_at <= $2
  and not exists (select from review_reminders r where r.task_id = t.id and r.ends_at = t.auto_release_at)
order by t.auto_release_at
limit $3`

const reminder = 'insert into review_reminders (task_id, ends_at) values ($1, $2) on conflict do nothing'

export const ownerTaskReads = (connection: Connection) =>
  ({
    async ownerTasks({ ownerId, statuses, before, limit }) {
      const rows = await connection.rows<TaskRow>(page, [ownerId, before ?? AFTER_ALL, statuses, limit])
      return rows.map((row) => taskTable.read(row))
    },
    async tasksWaitingForOwner(ownerId, limit) {
      const rows = await connection.rows<TaskRow>(waiting, [ownerId, limit])
      return rows.map((row) => taskTable.read(row))
    },
    async endingReviews({ after, until, limit }) {
      const rows = await connection.rows<{ readonly id: string }>(ending, [isoTime(after), isoTime(until), limit])
      return rows.map(({ id }) => id)
    },
  }) satisfies Partial<Reader>

export const ownerTaskWrites = (connection: Connection) =>
  ({
    noteReminder: async (taskId, endsAt) => (await connection.change(reminder, [taskId, isoTime(endsAt)])) === 1,
  }) satisfies Partial<Transaction>

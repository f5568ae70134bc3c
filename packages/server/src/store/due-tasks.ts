import { isoTime } from '../domain/instant.ts'
import type { Reader } from '../ports/store.ts'
import type { DueTimer } from '../ports/task-store.ts'
import type { Connection } from './connection.ts'

/** Each timer's condition equals that of its partial index. */
const timers: Readonly<Record<DueTimer, { readonly status: string; readonly column: string }>> = {
  'claim lapses': { status: 'claimed', column: 'claim_expires_at' },
  unreviewed: { status: 'submitted', column: 'auto_release_at' },
  expires: { status: 'open', column: 'expires_at' },
}

function due(timer: DueTimer): string {
  const { status, column } = timers[timer]
  const time = `greatest(${column}, timer_held_until)`
  return `
select id from tasks
where status = '${status}' and ${column} is not null and ${time} <= $1
order by ${time} limit $2`
}

/** The condition equals that of the partial index, and that of `isToBeAnnounced`. */
const unannounced = `
select id from tasks
where not announced and status not in ('cancelled', 'expired')
  and coalesce(escrow_status, 'funded') not in ('unfunded', 'funding')
order by created_at limit $1`

type IdRow = { readonly id: string }

export const dueTaskReads = (connection: Connection) =>
  ({
    dueTimers: async (timer, now, limit) =>
      (await connection.rows<IdRow>(due(timer), [isoTime(now), limit])).map(({ id }) => id),
    unannouncedTasks: async (limit) => (await connection.rows<IdRow>(unannounced, [limit])).map(({ id }) => id),
  }) satisfies Partial<Reader>

import { DAY, HOUR } from '@guildhall/protocol'
import { isToBeAnnounced } from '@guildhall/server/parts'
import type { Tables } from './store/tables.ts'
import { dueTime, isUnfinished } from './store/transfers.ts'

const LONGEST = 10 * DAY

/** The next moment at which jobs could find work; they sleep until then instead of polling. */
export function nextDue({ tasks, transfers, pending, head, checkpoints }: Tables, now: number): number {
  if (pending.size > 0) return now
  let next = now + LONGEST
  const note = (at: number | null, notBefore: number | null = null) => {
    if (at !== null) next = Math.min(next, Math.max(at, notBefore ?? 0))
  }
  for (const task of tasks.values()) {
    const { status, timerHeldUntil } = task
    if (status === 'open') note(task.expiresAt, timerHeldUntil)
    if (status === 'claimed') note(task.claimExpiresAt, timerHeldUntil)
    if (status === 'submitted') note(task.autoReleaseAt, timerHeldUntil)
    if (isToBeAnnounced(task)) return now
  }
  for (const transfer of transfers.values()) {
    if (isUnfinished(transfer)) note(dueTime(transfer), transfer.leaseUntil)
  }
  const last = [...checkpoints.values()].at(-1)
  if (last && last.sequence < (head.get('head')?.sequence ?? 0)) note(last.issuedAt + HOUR)
  return Math.max(now, next)
}

import { DAY, limits, MINUTE } from '@guildhall/protocol'
import type { Books } from '../books/read-books.ts'
import type { EventRow, TaskRow } from '../books/rows.ts'
import type { Invariant } from '../invariant.ts'

const { claimWindowMs, autoAcceptMs } = limits.task

/** How long due work may wait for the jobs. */
const LAG_MS = MINUTE

/** I12: no timer fires early, and none stays unfired long after it is due. */
export const timersAreOnTime: Invariant = {
  name: 'I12 timers are on time',
  *broken({ books, now }) {
    for (const task of books.tasks) {
      yield* tooEarly(task)
      yield* wronglySet(task)
      if (now !== null) yield* tooLate(task, now)
    }
    yield* lapsedTooEarly(books)
  },
}

function* tooEarly(task: TaskRow): Iterable<string> {
  const { id, accepted_by, verified_at, submitted_at, expired_at, expires_at } = task
  if (accepted_by === 'auto') {
    if ((verified_at ?? 0) < (submitted_at ?? Number.POSITIVE_INFINITY) + autoAcceptMs) {
      yield `task ${id} was accepted by the timer before its review was over`
    }
    if (task.review_state === 'disputed') yield `task ${id} was accepted by the timer although it is disputed`
  }
  if (task.status === 'expired' && (expired_at ?? 0) < (expires_at ?? Number.POSITIVE_INFINITY)) {
    yield `task ${id} expired before its time`
  }
}

function* wronglySet(task: TaskRow): Iterable<string> {
  const { id, status, claimed_at, revision_requested_at, submitted_at } = task
  if (status === 'claimed') {
    const since = Math.max(claimed_at ?? Number.NaN, revision_requested_at ?? 0)
    if (task.claim_expires_at !== since + claimWindowMs) yield `the claim of task ${id} does not end after its window`
  } else if (task.claim_expires_at !== null) yield `task ${id} is ${status}, but a claim runs out on it`
  if (status === 'submitted' && task.review_state !== 'disputed') {
    if (task.auto_release_at !== (submitted_at ?? Number.NaN) + autoAcceptMs) {
      yield `the review of task ${id} does not end after its window`
    }
  } else if (task.auto_release_at !== null) yield `task ${id} is ${status}, but a review runs out on it`
  if (
    task.expires_in_days === null
      ? task.expires_at !== null
      : (task.expires_at ?? 0) < task.created_at + task.expires_in_days * DAY
  ) {
    yield `the open window of task ${id} is not ${task.expires_in_days} days`
  }
}

function* tooLate(task: TaskRow, now: number): Iterable<string> {
  const due = { claimed: task.claim_expires_at, submitted: task.auto_release_at, open: task.expires_at }[task.status]
  if (due === undefined || due === null) return
  const overdue = now - Math.max(due, task.timer_held_until ?? 0)
  if (overdue > LAG_MS) yield `task ${task.id} is still ${task.status}, ${Math.round(overdue / 1000)} s after its time`
}

/**
 * A claim that lapsed was made, or renewed by a revision, a whole window before. Claims and lapses of a task alternate, so the
 * third lapse ends the third claim; times alone would not tell, since two nodes' clocks always differ a little.
 */
function* lapsedTooEarly({ events, tasks }: Books): Iterable<string> {
  const about = Map.groupBy(events, ({ ref_id }) => ref_id)
  for (const { id, creator_id } of tasks) {
    const told = about.get(id) ?? []
    const claims = told.filter(({ type, agent_id }) => type === 'task.claimed' && agent_id === creator_id)
    const lapses = told.filter(({ type }) => type === 'task.claim_expired').sort(byTime)
    for (const [turn, lapse] of lapses.entries()) {
      const own = told.filter(({ agent_id, position }) => agent_id === lapse.agent_id && position < lapse.position)
      const last = own.findLast(({ type }) => type === 'task.revision_requested' || type === 'task.claim_expired')
      const renewed = last?.type === 'task.revision_requested' ? last : claims[turn]
      const begun = renewed?.created_at ?? 0
      if (lapse.created_at < begun + claimWindowMs) yield `a claim of task ${id} lapsed before its window was over`
    }
  }
}

const byTime = (one: EventRow, other: EventRow): number => one.created_at - other.created_at

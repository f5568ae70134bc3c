import { limits } from '@guildhall/protocol'
import type { Books } from '../books/read-books.ts'
import type { TaskRow } from '../books/rows.ts'
import type { Invariant } from '../invariant.ts'

/** The escrow and payment statuses allowed with each task status (specification, section 3). */
const ESCROWED: Readonly<Record<string, readonly string[]>> = {
  open: ['funding settling', 'funded pending', 'unfunded expired'],
  claimed: ['funded pending'],
  submitted: ['funded pending'],
  verified: ['releasing settling', 'released settled'],
  cancelled: ['refunding settling', 'refunded refunded', 'unfunded expired'],
  expired: ['refunding settling', 'refunded refunded', 'unfunded expired'],
}

/** A reorged deposit may be in flight again, or gone, while work goes on. */
const TAKEN_BACK = ['funding settling', 'unfunded expired']

const DECLARED: Readonly<Record<string, readonly string[]>> = {
  open: ['pending'],
  claimed: ['pending'],
  submitted: ['pending'],
  verified: ['pending', 'authorized', 'settling', 'settled', 'failed', 'expired'],
  cancelled: ['expired'],
  expired: ['expired'],
}

/** The statuses of a task, its escrow and its payment agree with each other and with its other columns. */
export const statesFitTogether: Invariant = {
  name: 'states fit together',
  *broken({ books }) {
    const undone = new Set(
      books.paymentEvents.filter(({ type }) => type === 'settlement_undone').map((one) => one.task_id),
    )
    for (const task of books.tasks) {
      yield* wrongMoney(task, undone.has(task.id))
      yield* wrongColumns(task)
    }
    yield* wrongCapabilities(books)
  },
}

function* wrongMoney(task: TaskRow, undone: boolean): Iterable<string> {
  const { id, status, bounty_amount, escrow_status, payment_status } = task
  if (bounty_amount === null) {
    if (payment_status !== 'none') yield `task ${id} is free, but its payment is ${payment_status}`
    return
  }
  if (escrow_status === null) {
    if (!DECLARED[status]?.includes(payment_status)) yield `task ${id} is ${status} and its payment ${payment_status}`
    return
  }
  const allowed = [...(ESCROWED[status] ?? []), ...(undone ? TAKEN_BACK : [])]
  if (!allowed.includes(`${escrow_status} ${payment_status}`)) {
    yield `task ${id} is ${status}, its escrow ${escrow_status} and its payment ${payment_status}`
  }
}

function* wrongColumns(task: TaskRow): Iterable<string> {
  const { id, status } = task
  const says = (column: keyof TaskRow, isSet: boolean): string | null =>
    (task[column] !== null) === isSet ? null : `task ${id} is ${status}, but ${column} is ${isSet ? 'missing' : 'set'}`
  const found = [
    says('cancelled_at', status === 'cancelled'),
    says('expired_at', status === 'expired'),
    says('verified_at', status === 'verified'),
    says('accepted_by', status === 'verified'),
    ...(status === 'open' ? [says('claimed_by', false), says('claimed_at', false)] : []),
    ...(['claimed', 'submitted', 'verified'].includes(status) ? [says('claimed_by', true)] : []),
    ...(['submitted', 'verified'].includes(status) ? [says('submitted_at', true)] : []),
    says('settled_at', task.payment_status === 'settled'),
    task.revision_count > limits.task.revisionRounds ? `task ${id} had ${task.revision_count} revisions` : null,
    task.review_state === 'disputed' && task.disputed_at === null
      ? `task ${id} is disputed, but disputed_at is missing`
      : null,
  ]
  yield* found.filter((one) => one !== null)
}

/** The board's filter by capability repeats columns of the task, but does not tell what is claimed from what is submitted. */
function* wrongCapabilities({ tasks, capabilities }: Books): Iterable<string> {
  const byTask = Map.groupBy(capabilities, ({ task_id }) => task_id)
  for (const task of tasks) {
    const own = byTask.get(task.id) ?? []
    byTask.delete(task.id)
    const wanted = new Set(task.required_capabilities.map((capability) => capability.trim().toLowerCase()))
    const same = own.every(
      (row) =>
        wanted.has(row.capability) &&
        phaseOf(row.status) === phaseOf(task.status) &&
        row.category === task.category &&
        row.bounty_amount === task.bounty_amount &&
        row.created_at === task.created_at,
    )
    if (!same || own.length !== wanted.size) yield `the board's capabilities of task ${task.id} are not the task's`
  }
  for (const taskId of byTask.keys()) yield `the board has capabilities of task ${taskId}, which does not exist`
}

const phaseOf = (status: string): string => (['claimed', 'submitted'].includes(status) ? 'in hand' : status)

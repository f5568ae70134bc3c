import type { PaymentStatus } from '@guildhall/protocol'
import type { Seal } from '../../domain/ledger/ledger.ts'
import { refuse } from '../../domain/refusal.ts'
import { refuseUnknownTask } from '../../domain/task/refuse-unknown-task.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { afterChange } from '../after-change.ts'
import { acceptanceEntryId } from '../append-entry.ts'
import { paidChange } from '../money/paid-change.ts'
import { settleSoon } from '../money/settle-soon.ts'
import { takePayment } from '../money/take-payment.ts'
import { asCreator, type Poster, posterChange } from '../poster.ts'
import { authorizeBounty, checkPayee } from './authorize-bounty.ts'
import { bountyOffer } from './bounty-offer.ts'
import { delivererWallet, lockTaskAsDue, moveTask } from './move-task.ts'
import { ratingOf } from './review-task.ts'

export type Acceptance = {
  readonly note: string | null
  readonly stars: number | null
  readonly comment: string | null
}
export type Accepted = { readonly task: Task; readonly seal: Seal | null; readonly paidBy: string | null }

/** Accepts a delivery. A bounty in escrow is released; a declared one is paid by this call. */
export async function acceptTask(
  world: World,
  poster: Poster,
  taskId: string,
  acceptance: Acceptance,
  payment: string | null,
): Promise<Accepted> {
  const task = (await world.store.task(taskId)) ?? refuseUnknownTask(taskId)
  if (task.creator.id !== poster.id) refuse('forbidden', {}, 'Only the poster of this task may accept it.')
  const declared = task.bounty !== null && task.escrow === null
  if (!declared && payment !== null) refuse('payment_not_expected')
  return declared ? acceptPaying(world, poster, task, acceptance, payment) : acceptHeld(world, poster, task, acceptance)
}

/** Accepting again a task that is accepted and paid, or being paid, changes nothing more and gives the same answer. */
function isDone({ status, paymentStatus }: Task): boolean {
  const underWay: readonly PaymentStatus[] = ['none', 'authorized', 'settling', 'settled', 'failed']
  return status === 'verified' && underWay.includes(paymentStatus)
}

async function alreadyAccepted(world: World, task: Task): Promise<Accepted> {
  return { task, seal: await sealOf(world, task), paidBy: task.paymentId ?? task.escrow?.exitId ?? null }
}

/** The seal of the acceptance; the timer may have accepted the task just now, in this call. */
async function sealOf(world: World, { id }: Task): Promise<Seal | null> {
  const entryId = acceptanceEntryId(id)
  return (await world.store.seal(entryId)) ?? world.ledger.sealed(entryId)
}

/** A signature counts once for this too: the same request again is a replay, also when the task is accepted already. */
async function acceptHeld(world: World, poster: Poster, { id }: Task, acceptance: Acceptance): Promise<Accepted> {
  const { task, pendingEntry } = await posterChange(world, poster, async (tx) => {
    const locked = await lockTaskAsDue(world, tx, id)
    return isDone(locked) ? { task: locked, pendingEntry: null } : accept(world, tx, poster, locked, acceptance)
  })
  if (pendingEntry === null) return alreadyAccepted(world, task)
  await world.failpoints.reach('release: committed')
  return finish(world, task, pendingEntry, task.escrow?.exitId ?? null)
}

async function acceptPaying(
  world: World,
  poster: Poster,
  task: Task,
  acceptance: Acceptance,
  payment: string | null,
): Promise<Accepted> {
  if (isDone(task)) return alreadyAccepted(world, task)
  const taken = await takePayment(world, payment, () => bountyOffer(world, task))
  const accepted = await paidChange(world, poster, taken, async (tx) => {
    const locked = await lockTaskAsDue(world, tx, task.id)
    if (isDone(locked)) return { task: locked, pendingEntry: null, isOurs: false }
    await checkPayee(tx, locked, taken)
    const moved =
      locked.status === 'verified'
        ? { task: locked, pendingEntry: null }
        : await accept(world, tx, poster, locked, acceptance)
    return { ...moved, task: await authorizeBounty(world, tx, poster, moved.task, taken), isOurs: true }
  })
  // Another payment came first: this one is neither recorded nor sent.
  if (!accepted.isOurs) return alreadyAccepted(world, accepted.task)
  await world.failpoints.reach('bounty: committed')
  return finish(world, accepted.task, accepted.pendingEntry, accepted.task.paymentId)
}

async function accept(world: World, tx: Transaction, poster: Poster, task: Task, acceptance: Acceptance) {
  const wallet = await delivererWallet(tx, task)
  return moveTask(world, tx, task, {
    trigger: 'accept',
    actor: asCreator(poster),
    wallet,
    rating: ratingOf('accept', acceptance, world.clock.now()),
    note: acceptance.note,
    signature: poster.signature,
  })
}

async function finish(
  world: World,
  accepted: Task,
  pendingEntry: string | null,
  transferId: string | null,
): Promise<Accepted> {
  const [task, seal] = await Promise.all([
    settleSoon(world, accepted, transferId),
    pendingEntry === null ? afterChange(sealOf(world, accepted)) : world.ledger.sealed(pendingEntry),
  ])
  return { task, seal, paidBy: transferId }
}

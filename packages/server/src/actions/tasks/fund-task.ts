import { formatUsdc } from '@guildhall/protocol'
import { escrowAfter } from '../../domain/escrow/lifecycle.ts'
import { paymentOf } from '../../domain/escrow/payment-of.ts'
import { refuse } from '../../domain/refusal.ts'
import { isFundable } from '../../domain/task/claimable.ts'
import { refuseUnknownTask } from '../../domain/task/refuse-unknown-task.ts'
import { type Escrow, type Task, tasksPath } from '../../domain/task/task.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { afterChange } from '../after-change.ts'
import { refuseInactive, refuseSuspendedSince } from '../agents/refuse-inactive.ts'
import { noteAuthorization } from '../money/note-authorization.ts'
import type { Offer } from '../money/offer.ts'
import { paidChange } from '../money/paid-change.ts'
import { recordPayment } from '../money/record-payment.ts'
import { networkToPayOn, termsOn } from '../money/served-network.ts'
import { settleSoon } from '../money/settle-soon.ts'
import { type TakenPayment, takePayment } from '../money/take-payment.ts'
import type { Poster } from '../poster.ts'
import { checkLargest } from './check-bounty.ts'
import { lockTaskAsDue } from './move-task.ts'
import type { Posted } from './post-task.ts'

/** A second deposit, for a task whose first one is proven dead. */
export async function fundTask(world: World, poster: Poster, taskId: string, payment: string | null): Promise<Posted> {
  const task = (await world.store.task(taskId)) ?? refuseUnknownTask(taskId)
  checkStanding(poster, task)
  const taken = await takePayment(world, payment, () => fundingOffer(world, checkFundable(task, world.clock.now())))
  const { funded, depositId } = await paidChange(world, poster, taken, (tx) => fund(world, tx, poster, taskId, taken))
  const settled = await settleSoon(world, funded, depositId)
  return { task: settled, deposit: await afterChange(world.store.transfer(depositId)) }
}

const NO_ESCROW = 'Nothing is held in escrow for this task: a declared bounty is paid through accept.'

function checkStanding({ id, agent }: Poster, task: Task): void {
  if (task.creator.id !== id) refuse('forbidden', {}, 'Only the poster of this task may fund it.')
  refuseInactive(agent)
}

/** A task whose window has ended is refused before its timer has run, too: nobody should sign for it. */
function checkFundable(task: Task, now: number): Task & { escrow: Escrow } {
  const { escrow } = task
  if (escrow === null) refuse('invalid_state', { status: task.status }, NO_ESCROW)
  if (!isFundable(task.status))
    refuse('invalid_state', { status: task.status }, `The task is ${task.status}: it takes no deposit now.`)
  if (escrow.status === 'funding') refuse('settlement_in_progress')
  if (escrow.status !== 'unfunded') refuse('invalid_state', { status: task.status }, `The deposit is ${escrow.status}.`)
  if (task.status === 'open' && task.expiresAt !== null && now >= task.expiresAt)
    refuse('invalid_state', { status: 'expired' }, 'The task is expired: it takes no deposit now.')
  return { ...task, escrow }
}

export function fundingOffer(world: World, task: Task): Offer {
  if (!world.escrow) refuse('escrow_unavailable')
  if (task.bounty === null) refuse('invalid_state', { status: task.status })
  const served = networkToPayOn(world, task.bounty.network)
  checkLargest(world, task.bounty.amount, true, 'bounty.amount')
  return {
    path: `${tasksPath(task.creator.kind)}/${task.id}/fund`,
    description: `Escrow deposit of ${formatUsdc(task.bounty.amount)} USDC for task ${task.id}.`,
    accepts: [termsOn(served, world.escrow.address, task.bounty.amount)],
  }
}

async function fund(world: World, tx: Transaction, poster: Poster, taskId: string, taken: TakenPayment) {
  const task = checkFundable(await lockTaskAsDue(world, tx, taskId), world.clock.now())
  await refuseSuspendedSince(tx, poster)
  const deposit = await recordPayment(world, tx, taken, {
    purpose: 'deposit',
    taskId,
    agentId: poster.agent?.id ?? null,
  })
  const escrow: Escrow = {
    ...task.escrow,
    status: escrowAfter(task.escrow.status, 'fund'),
    wallet: taken.authorization.to,
    payer: taken.authorization.from,
    depositId: deposit.id,
  }
  const funded: Task = { ...task, escrow, paymentStatus: paymentOf(escrow), settleError: null }
  await tx.saveTask(funded)
  await noteAuthorization(world, tx, taskId, 'deposit', taken)
  return { funded, depositId: deposit.id }
}

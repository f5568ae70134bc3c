import type { NewEvent } from '../../domain/inbox/event.ts'
import { withoutFailure } from '../../domain/reputation/changes.ts'
import type { Task } from '../../domain/task/task.ts'
import { afterDeath } from '../../domain/transfer/task-after.ts'
import { isPayout, type Transfer } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { creditBond } from '../bonds/credit-bond.ts'
import { mailPoster } from '../mail/mail-poster.ts'
import { newId } from '../new-id.ts'
import { noteFailedAttempt } from './note-failed-attempt.ts'
import { notePaymentEvent } from './note-payment-event.ts'
import { postponed } from './postpone.ts'
import type { TransferCase } from './transfer-case.ts'

/** The chain has proven that this authorization can never settle. */
export async function applyDeath(
  world: World,
  tx: Transaction,
  { transfer, task, evidence }: TransferCase,
  why: string,
): Promise<void> {
  if (isPayout(transfer.purpose) && evidence.kind !== 'unused') return supersede(world, tx, transfer, task, why)
  if (transfer.purpose === 'withdrawal' && (await hasBondElsewhere(tx, transfer)))
    return tx.saveTransfer(toBeSignedAgain(world, transfer, why))
  await tx.saveTransfer(ended(transfer, 'dead', why))
  if (transfer.purpose === 'withdrawal') await creditBond(world, tx, transfer)
  if (!task) return
  await tx.saveTask(afterDeath(task, transfer, why))
  if (transfer.purpose === 'deposit') {
    await endExit(world, tx, task, why)
    await takeLossBack(world, tx, task)
  }
  const details = { purpose: transfer.purpose, reason: why }
  await notePaymentEvent(world, tx, { taskId: task.id, type: 'expired', details })
  const events = concerned(task).map(
    (agentId): NewEvent => ({
      agentId,
      type: 'task.payment_failed',
      refKind: 'task',
      refId: task.id,
      actorId: null,
      payload: { task_id: task.id, title: task.title, reason: why },
    }),
  )
  await mailPoster(world, tx, task, 'task.payment_failed')
  await tx.addEvents(events, world.clock.now(), () => newId(world, 'evt'))
}

/**
 * A withdrawal that seemed to have left let its agent begin a bond on another network. Now that the chain has taken it back, it could
 * be credited to no bond, unless all of it pays a debt to the house.
 */
async function hasBondElsewhere(tx: Transaction, { agentId, authorization }: Transfer): Promise<boolean> {
  const { network, value } = authorization
  const { bondNetwork = null } = (agentId === null ? null : await tx.lockAgent(agentId)) ?? {}
  if (agentId === null || bondNetwork === null || bondNetwork === network) return false
  return (await tx.bondDebt(agentId, network)) < value
}

/** The nonce stays, so it leaves once. */
const toBeSignedAgain = (world: World, transfer: Transfer, why: string): Transfer =>
  postponed(world, { ...transfer, signature: null, authorization: { ...transfer.authorization, validBefore: 0n } }, why)

/**
 * A deposit that was reorged away may already have a payout: that payout ends, and an operator has to look. If it has left all
 * the same, nothing explains that any more, so the wallet watch finds the money missing.
 */
async function endExit(world: World, tx: Transaction, { id, escrow }: Task, why: string): Promise<void> {
  const exit = escrow === null || escrow.exitId === null ? null : await tx.lockTransfer(escrow.exitId)
  if (exit === null) return
  await tx.saveTransfer(ended(exit, 'dead', why))
  await tx.forgetMovement(exit.id)
  world.log.alarm('a deposit is gone that was to be paid out', {
    task: id,
    payout: exit.id,
    purpose: exit.purpose,
    why,
  })
}

/** A lost dispute does not count when the deposit was reorged away, even after the dispute was lost. */
async function takeLossBack(
  { clock }: World,
  tx: Transaction,
  { status, reviewState, escrow, claimedBy, cancelledAt }: Task,
): Promise<void> {
  const isLost = status === 'cancelled' && reviewState === 'disputed' && escrow?.status === 'refunding'
  if (!isLost || claimedBy === null || cancelledAt === null) return
  await tx.countForAgent(claimedBy, { lostDisputes: -1 })
  const reputationOf = await tx.lockReputations([claimedBy])
  await tx.saveReputation(withoutFailure(reputationOf(claimedBy), cancelledAt, clock.now()))
}

const concerned = ({ creator, claimedBy }: Task): readonly string[] => [
  ...(creator.kind === 'agent' ? [creator.id] : []),
  ...(claimedBy === null ? [] : [claimedBy]),
]

/** The nonce of a payout was used for another transfer than ours: the money has left once, and an operator has to look. */
async function supersede(
  world: World,
  tx: Transaction,
  transfer: Transfer,
  task: Task | null,
  why: string,
): Promise<void> {
  await tx.saveTransfer(ended(transfer, 'superseded', why))
  if (task) await noteFailedAttempt(world, tx, task, transfer, why)
  world.log.alarm('a payout was superseded on chain', { transfer: transfer.id, task: transfer.taskId, why })
}

const ended = (transfer: Transfer, state: 'dead' | 'superseded', why: string): Transfer => ({
  ...transfer,
  state,
  lastError: why,
  nextAttemptAt: null,
  leaseUntil: null,
})

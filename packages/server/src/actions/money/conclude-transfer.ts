import { isDead } from '../../domain/transfer/is-dead.ts'
import { hasEnded, type Transfer } from '../../domain/transfer/transfer.ts'
import { wasReadBehind } from '../../domain/transfer/was-read-behind.ts'
import type { Evidence } from '../../ports/chain.ts'
import type { SettleOutcome } from '../../ports/facilitator.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { applyDeath } from './apply-death.ts'
import { applySettlement } from './apply-settlement.ts'
import { applyUndoing } from './apply-undoing.ts'
import { depthOf } from './depth-of.ts'
import { noteFailedAttempt } from './note-failed-attempt.ts'
import { postponed } from './postpone.ts'
import { servedNetwork } from './served-network.ts'
import type { TransferCase } from './transfer-case.ts'

/**
 * Writes what the chain shows of a transfer, once: only the holder of the newest lease may. The task is locked before the
 * transfer, as everywhere.
 */
export async function concludeTransfer(
  world: World,
  leased: Transfer,
  evidence: Evidence,
  hint: SettleOutcome | null,
): Promise<void> {
  await world.failpoints.reach(`${leased.purpose}: before conclude`)
  await world.store.transaction(async (tx) => {
    const task = leased.taskId === null ? null : await tx.lockTask(leased.taskId)
    const transfer = await tx.lockTransfer(leased.id)
    if (transfer?.fence !== leased.fence || hasEnded(transfer)) return
    await conclude(world, tx, { transfer, task, evidence, hint })
  })
  world.nudge()
}

async function conclude(world: World, tx: Transaction, seen: TransferCase): Promise<void> {
  const { transfer, evidence } = seen
  if (evidence.kind === 'unreachable') return keepTrying(world, tx, seen)
  const { network } = transfer.authorization
  const depth = depthOf(world, transfer.authorization, 'confirmations' in evidence ? evidence.confirmations : 0)
  if (evidence.kind === 'settled' && depth.settled)
    return (await isDepositGone(tx, transfer))
      ? awaitDeposit(world, tx, transfer)
      : applySettlement(world, tx, seen, evidence, depth)
  if (wasReadBehind(transfer, evidence.head, servedNetwork(world.rules, network)?.confirmations ?? 1)) {
    return keepTrying(world, tx, { ...seen, evidence: BEHIND })
  }
  if (transfer.state === 'settled')
    return isPaidOut(seen) ? awaitPayout(world, tx, seen, depth.final) : applyUndoing(world, tx, seen)
  if (evidence.kind === 'spent_otherwise' && depth.mature) {
    return applyDeath(world, tx, seen, 'the nonce was cancelled or spent on another transfer')
  }
  if (evidence.kind === 'unused' && isDead(transfer, evidence)) {
    return applyDeath(world, tx, seen, 'the authorization ran out unused')
  }
  return keepTrying(world, tx, seen)
}

const BEHIND: Evidence = { kind: 'unreachable', cause: 'the node is behind what was seen before' }

const isPaidOut = ({ transfer, task }: TransferCase): boolean =>
  transfer.purpose === 'deposit' && (task?.escrow?.status === 'released' || task?.escrow?.status === 'refunded')

/**
 * A payout is in a later block than its deposit: a reorg of the deposit undid the payout, too, and that must be written first. If
 * the payout is still on the chain, the wallet is short of it, and the deposit is sent again. If the payout is final and the
 * deposit can never come again, the money is lost: a final deposit explains nothing that the chain does not show, so the wallet
 * watch finds it missing.
 */
async function awaitPayout(
  world: World,
  tx: Transaction,
  { transfer, task, evidence }: TransferCase,
  isSpent: boolean,
): Promise<void> {
  const payout = task?.escrow?.exitId ? await tx.transfer(task.escrow.exitId) : null
  const isLost = isSpent || (evidence.kind === 'unused' && isDead(transfer, evidence))
  const waiting = postponed(world, transfer, 'the chain took it back after it was paid out')
  if (!isLost || !payout?.final) return tx.saveTransfer(waiting)
  await tx.saveTransfer({ ...waiting, final: true, nextAttemptAt: null })
  world.log.alarm('a deposit is gone that was paid out', { task: transfer.taskId, deposit: transfer.id })
}

/** The task is locked, so the deposit stays as it is read here. */
async function isDepositGone(tx: Transaction, { depositId }: Transfer): Promise<boolean> {
  return depositId !== null && (await tx.transfer(depositId))?.state !== 'settled'
}

/**
 * A payout may be sent, and in a block, before a reorg takes back its deposit alone. It is written once the deposit is there
 * again; if that dies, the payout ends with it, and the wallet watch reports the missing money.
 */
const awaitDeposit = (world: World, tx: Transaction, transfer: Transfer): Promise<void> =>
  tx.saveTransfer(postponed(world, transfer, 'it has left, but the chain took its deposit back'))

/** The outcome is unknown: nothing is decided, the next attempt looks again. */
async function keepTrying(
  world: World,
  tx: Transaction,
  { transfer, task, evidence, hint }: TransferCase,
): Promise<void> {
  const why = describe(evidence, hint)
  await tx.saveTransfer(postponed(world, transfer, why))
  if (task && transfer.state === 'intended') await noteFailedAttempt(world, tx, task, transfer, why)
}

function describe(evidence: Evidence, hint: SettleOutcome | null): string {
  if (hint?.kind === 'rejected') return hint.reason
  if (hint?.kind === 'unknown') return hint.cause
  if (evidence.kind === 'unreachable') return `the chain cannot be reached: ${evidence.cause}`
  return hint?.kind === 'settled'
    ? 'the facilitator says settled, the chain does not show it yet'
    : 'waiting for the chain'
}

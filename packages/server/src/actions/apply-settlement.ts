import { escrowAfter } from '../domain/escrow/lifecycle.ts'
import { postingOf } from '../domain/journal/posting-of.ts'
import { paymentAfter } from '../domain/payment/lifecycle.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import type { Evidence } from '../ports/chain.ts'
import type { Transaction } from '../ports/store.ts'
import type { World } from '../ports/world.ts'
import { newId } from './new-id.ts'
import { postponed } from './postpone.ts'
import { tellOfSettlement } from './tell-of-settlement.ts'
import type { TransferCase } from './transfer-case.ts'

/** The chain shows the transfer: journal, task, ledger and inboxes say so in the same transaction. */
export async function applySettlement(
  world: World,
  tx: Transaction,
  { transfer: before, task }: TransferCase,
  evidence: Evidence & { kind: 'settled' },
  final: boolean,
): Promise<void> {
  const now = world.clock.now()
  const known = { txHash: evidence.txHash, blockNumber: evidence.blockNumber, final, lastError: null }
  const watched = final ? { leaseUntil: null, nextAttemptAt: null } : postponed(world, { ...before, attempts: 1 }, null)
  const transfer: Transfer = { ...before, ...watched, ...known, state: 'settled', settledAt: before.settledAt ?? now }
  await tx.saveTransfer(transfer)
  if (before.state === 'settled') return correctHash(tx, task, before, transfer)

  const posting = postingOf(transfer)
  if (posting) await tx.post({ ...posting, id: newId(world, 'jrn'), createdAt: now })
  if (transfer.purpose === 'bond') await credit(tx, transfer)
  if (task) {
    const paid = afterSettlement(task, transfer, now)
    await tx.saveTask(paid)
    await tellOfSettlement(world, tx, paid, transfer)
  }
}

async function credit(tx: Transaction, { agentId, authorization }: Transfer): Promise<void> {
  if (agentId !== null) await tx.adjustBond(agentId, authorization.network, authorization.value)
}

function afterSettlement(task: Task, { purpose, txHash }: Transfer, now: number): Task {
  const settled = { ...task, settleError: null }
  const { escrow } = task
  if (purpose === 'bounty') {
    return { ...settled, paymentStatus: paymentAfter(task.paymentStatus, 'proven'), paymentTx: txHash, settledAt: now }
  }
  if (!escrow) throw new Error(`task ${task.id} has no escrow for its ${purpose}`)
  if (purpose === 'deposit') {
    const funded = { ...escrow, status: escrowAfter(escrow.status, 'deposit proven'), depositTx: txHash, fundedAt: now }
    return { ...settled, escrow: funded, paymentStatus: 'pending', announced: false }
  }
  const status = escrowAfter(escrow.status, 'payout proven')
  if (purpose === 'release') {
    const released = { ...escrow, status, releaseTx: txHash, releasedAt: now }
    return { ...settled, escrow: released, paymentStatus: 'settled', paymentTx: txHash, settledAt: now }
  }
  return { ...settled, escrow: { ...escrow, status, refundTx: txHash, refundedAt: now }, paymentStatus: 'refunded' }
}

/** The same transfer may be mined again under another hash; the task then shows the real one. */
async function correctHash(
  tx: Transaction,
  task: Task | null,
  before: Transfer,
  { purpose, txHash }: Transfer,
): Promise<void> {
  if (!task || before.txHash === txHash) return
  const { escrow } = task
  if (purpose === 'deposit' && escrow) await tx.saveTask({ ...task, escrow: { ...escrow, depositTx: txHash } })
  if (purpose === 'release' && escrow)
    await tx.saveTask({ ...task, escrow: { ...escrow, releaseTx: txHash }, paymentTx: txHash })
  if (purpose === 'refund' && escrow) await tx.saveTask({ ...task, escrow: { ...escrow, refundTx: txHash } })
  if (purpose === 'bounty') await tx.saveTask({ ...task, paymentTx: txHash })
}

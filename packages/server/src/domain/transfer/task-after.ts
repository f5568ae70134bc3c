import { escrowAfter } from '../escrow/lifecycle.ts'
import { paymentOf } from '../escrow/payment-of.ts'
import type { Instant } from '../instant.ts'
import { paymentAfter } from '../payment/lifecycle.ts'
import type { Escrow, Task } from '../task/task.ts'
import type { Transfer } from './transfer.ts'

/** The task once the chain shows its transfer. */
export function afterSettlement(task: Task, { purpose, txHash }: Transfer, now: Instant): Task {
  const settled = { ...task, settleError: null }
  const { escrow } = task
  if (purpose === 'bounty') {
    return { ...settled, paymentStatus: paymentAfter(task.paymentStatus, 'proven'), paymentTx: txHash, settledAt: now }
  }
  if (!escrow) throw new Error(`task ${task.id} has no escrow for its ${purpose}`)
  if (purpose === 'deposit') {
    const status = escrowAfter(escrow.status, 'deposit proven')
    // A deposit reorged during release or refund keeps that status.
    return inEscrow(withoutHold(settled), { ...escrow, status, depositTx: txHash, fundedAt: now })
  }
  const status = escrowAfter(escrow.status, 'payout proven')
  if (purpose === 'release') {
    const released = inEscrow(settled, { ...escrow, status, releaseTx: txHash, releasedAt: now })
    return { ...released, paymentTx: txHash, settledAt: now }
  }
  return inEscrow(settled, { ...escrow, status, refundTx: txHash, refundedAt: now })
}

/** The same transfer may be mined again under another hash; the task then shows the real one. */
export function withHashOf(task: Task, { purpose, txHash }: Transfer): Task {
  const { escrow } = task
  if (purpose === 'deposit' && escrow) return { ...task, escrow: { ...escrow, depositTx: txHash } }
  if (purpose === 'release' && escrow) return { ...task, escrow: { ...escrow, releaseTx: txHash }, paymentTx: txHash }
  if (purpose === 'refund' && escrow) return { ...task, escrow: { ...escrow, refundTx: txHash } }
  return purpose === 'bounty' ? { ...task, paymentTx: txHash } : task
}

/** The task once its transfer was reorged away. */
export function afterUndoing(task: Task, { purpose }: Transfer): Task {
  const { escrow } = task
  if (!escrow)
    return { ...task, paymentStatus: paymentAfter(task.paymentStatus, 'undone'), paymentTx: null, settledAt: null }
  if (purpose === 'deposit') {
    const status = escrowAfter(escrow.status, 'deposit undone')
    return inEscrow(task, { ...escrow, status, depositTx: null, fundedAt: null })
  }
  const status = escrowAfter(escrow.status, 'payout undone')
  const back = { ...escrow, status, releaseTx: null, releasedAt: null, refundTx: null, refundedAt: null }
  return { ...inEscrow(task, back), paymentTx: null, settledAt: null }
}

/** The task once its transfer is proven never to settle. */
export function afterDeath(task: Task, { purpose }: Transfer, why: string): Task {
  if (purpose === 'deposit' && task.escrow) {
    const status = escrowAfter(task.escrow.status, 'deposit dead')
    return { ...inEscrow(withoutHold(task), { ...task.escrow, status }), settleError: why }
  }
  return { ...task, paymentStatus: paymentAfter(task.paymentStatus, 'dead'), settleError: why }
}

/** A timer that could not act while the deposit was under way can act now. */
const withoutHold = (task: Task): Task => ({ ...task, timerHeldUntil: null })

const inEscrow = (task: Task, escrow: Escrow): Task => ({ ...task, escrow, paymentStatus: paymentOf(escrow) })

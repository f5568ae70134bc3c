import type { EscrowLeg } from '@guildhall/protocol'
import { encodePaymentResponse } from '@guildhall/protocol'
import { isoTime, isoTimeOrNull } from '../../domain/instant.ts'
import type { PaymentEvent } from '../../domain/payment/payment-event.ts'
import { isPaymentDue } from '../../domain/task/claimable.ts'
import type { Escrow, Task } from '../../domain/task/task.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { TaskDetail } from '../../ports/task-store.ts'
import { bountyView } from './bounty-view.ts'

const legOf = ({ status }: Escrow): EscrowLeg | null => {
  if (status === 'funding' || status === 'unfunded') return 'deposit'
  if (status === 'releasing' || status === 'released') return 'release'
  return status === 'refunding' || status === 'refunded' ? 'refund' : null
}

export function escrowView({ escrow, settleError }: Task) {
  if (escrow === null) return null
  return {
    status: escrow.status,
    leg: legOf(escrow),
    wallet: escrow.wallet,
    payer: escrow.payer,
    deposit_tx_hash: escrow.depositTx,
    funded_at: isoTimeOrNull(escrow.fundedAt),
    release_tx_hash: escrow.releaseTx,
    released_at: isoTimeOrNull(escrow.releasedAt),
    refund_tx_hash: escrow.refundTx,
    refunded_at: isoTimeOrNull(escrow.refundedAt),
    settle_error: settleError,
  }
}

/** The state of a task's money; `payment` is the current or last transfer out. */
export function taskPaymentView({ task, deposit, payment }: TaskDetail) {
  const current = payment ?? deposit
  return {
    task_id: task.id,
    bounty: bountyView(task.bounty),
    status: task.paymentStatus,
    verified: current !== null,
    settled: task.paymentStatus === 'settled',
    tx_hash: task.paymentTx,
    settled_at: isoTimeOrNull(task.settledAt),
    expires_at: current === null || current.state !== 'intended' ? null : validUntil(current),
    auto_release_at: isoTimeOrNull(task.autoReleaseAt),
    accepted_by: task.acceptedBy,
    payer: task.escrow?.payer ?? current?.authorization.from ?? null,
    last_error: task.settleError,
    settle_attempts: current?.attempts ?? 0,
    next_settle_at: current?.state === 'intended' ? isoTimeOrNull(current.nextAttemptAt) : null,
    payment_due: isPaymentDue(task),
    escrow: escrowView(task),
    pay_to: task.payTo,
  }
}

const validUntil = ({ authorization }: Transfer): string | null =>
  authorization.validBefore === 0n ? null : isoTime(Number(authorization.validBefore) * 1000)

export const paymentEventView = ({ id, type, details, createdAt }: PaymentEvent) => ({
  id,
  event_type: type,
  details,
  created_at: isoTime(createdAt),
})

/** The PAYMENT-RESPONSE header: success only with the transaction that proves it. */
export function paymentResponseHeader(transfer: Transfer | null): Record<string, string> {
  if (transfer === null) return {}
  const { from, network, value } = transfer.authorization
  const settled = transfer.state === 'settled' && transfer.txHash !== null
  const outcome = settled ? { success: true } : { success: false, errorReason: 'settlement_pending' }
  return {
    'PAYMENT-RESPONSE': encodePaymentResponse({
      ...outcome,
      payer: from,
      transaction: transfer.txHash ?? '',
      network,
      amount: value.toString(),
    }),
    'Cache-Control': 'private, no-store',
  }
}

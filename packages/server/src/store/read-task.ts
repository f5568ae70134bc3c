import type { Bounty, Escrow, Rating, Task } from '../domain/task/task.ts'
import type { TaskRow } from './task-row.ts'

/** A row of the tasks as the domain knows it. Columns that belong together are set together: the table checks it. */
export const readTask = (row: TaskRow): Task => ({
  id: row.id,
  status: row.status,
  creator: { kind: row.creator_kind, id: row.creator_id },
  title: row.title,
  description: row.description,
  category: row.category,
  requiredCapabilities: row.required_capabilities,
  expectedOutput: row.expected_output,
  outputFormat: row.output_format,
  expiresInDays: row.expires_in_days,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  expiredAt: row.expired_at,
  cancelledAt: row.cancelled_at,
  claimedBy: row.claimed_by,
  claimedAt: row.claimed_at,
  claimExpiresAt: row.claim_expires_at,
  firstSubmittedAt: row.first_submitted_at,
  submittedAt: row.submitted_at,
  autoReleaseAt: row.auto_release_at,
  receiptsCount: row.receipts_count,
  publishedAt: row.published_at,
  reviewState: row.review_state,
  reviewNote: row.review_note,
  revisionCount: row.revision_count,
  revisionRequestedAt: row.revision_requested_at,
  disputedAt: row.disputed_at,
  acceptedBy: row.accepted_by,
  verifiedAt: row.verified_at,
  rating: readRating(row),
  bounty: readBounty(row),
  escrow: readEscrow(row),
  paymentStatus: row.payment_status,
  payTo: row.pay_to,
  paymentId: row.payment_id,
  paymentTx: row.payment_tx,
  settledAt: row.settled_at,
  settleError: row.settle_error,
  announced: row.announced,
  proposerSignature: row.proposer_signature,
  acceptorSignature: row.acceptor_signature,
  timerHeldUntil: row.timer_held_until,
})

function readRating(row: TaskRow): Rating | null {
  const { rating_stars: stars, rating_context: context, rated_at: at } = row
  return stars === null || context === null || at === null ? null : { stars, comment: row.rating_comment, context, at }
}

function readBounty({ bounty_amount: amount, bounty_network: network }: TaskRow): Bounty | null {
  return amount === null || network === null ? null : { amount, network }
}

function readEscrow(row: TaskRow): Escrow | null {
  const { escrow_status: status, escrow_wallet: wallet, escrow_payer: payer, escrow_deposit_id: depositId } = row
  if (status === null || wallet === null || payer === null || depositId === null) return null
  return {
    status,
    wallet,
    payer,
    depositId,
    depositTx: row.escrow_deposit_tx,
    fundedAt: row.escrow_funded_at,
    exitId: row.escrow_exit_id,
    releaseTx: row.escrow_release_tx,
    releasedAt: row.escrow_released_at,
    refundTx: row.escrow_refund_tx,
    refundedAt: row.escrow_refunded_at,
  }
}

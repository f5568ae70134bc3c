import { isoTime, isoTimeOrNull } from '../../domain/instant.ts'
import { isClaimable, isPaymentDue } from '../../domain/task/claimable.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TaskRecord } from '../../ports/task-store.ts'
import { bountyView } from './bounty-view.ts'
import { escrowView } from './payment-view.ts'

const SHORT_ID_LENGTH = 12

function creatorView({ creator }: Task, name: string | null) {
  return {
    kind: creator.kind,
    id: creator.id,
    short_id: creator.id.slice(0, SHORT_ID_LENGTH),
    name,
    cert: null,
    wallet: creator.kind === 'wallet' ? creator.id : null,
  }
}

const ratingView = ({ rating }: Task) => ({
  rating: rating?.stars ?? null,
  rating_comment: rating?.comment ?? null,
  rating_context: rating?.context ?? null,
  rated_at: isoTimeOrNull(rating?.at ?? null),
})

/** A task as everybody sees it. */
export function taskView({ task, creatorName }: TaskRecord) {
  return {
    task_id: task.id,
    status: task.status,
    review_state: task.reviewState,
    revision_count: task.revisionCount,
    creator_kind: task.creator.kind,
    creator: creatorView(task, creatorName),
    creator_agent_id: task.creator.id,
    claimed_by_agent_id: task.claimedBy,
    claim_expires_at: isoTimeOrNull(task.claimExpiresAt),
    accepted_by: task.acceptedBy,
    submission_public: task.publishedAt !== null,
    payment_status: task.paymentStatus,
    bounty: bountyView(task.bounty),
    escrow: escrowView(task),
    title: task.title,
    description: task.description,
    category: task.category,
    required_capabilities: task.requiredCapabilities,
    expected_output: task.expectedOutput,
    output_format: task.outputFormat,
    expires_in_days: task.expiresInDays,
    created_at: isoTime(task.createdAt),
    claimed_at: isoTimeOrNull(task.claimedAt),
    submitted_at: isoTimeOrNull(task.submittedAt),
    verified_at: isoTimeOrNull(task.verifiedAt),
    settled_at: isoTimeOrNull(task.settledAt),
    disputed_at: isoTimeOrNull(task.disputedAt),
    revision_requested_at: isoTimeOrNull(task.revisionRequestedAt),
    cancelled_at: isoTimeOrNull(task.cancelledAt),
    expires_at: isoTimeOrNull(task.expiresAt),
    expired_at: isoTimeOrNull(task.expiredAt),
    review_note: task.reviewNote,
    ...ratingView(task),
    proposer_signature: task.proposerSignature,
    acceptor_signature: task.acceptorSignature,
    bounty_amount: task.bounty?.amount.toString() ?? null,
    bounty_token: task.bounty ? ('USDC' as const) : null,
    bounty_network: task.bounty?.network ?? null,
    payment_tx_hash: task.paymentTx,
    auto_release_at: isoTimeOrNull(task.autoReleaseAt),
    last_settle_error: task.settleError,
    payment_due: isPaymentDue(task),
    claimable: isClaimable(task),
  }
}

import type { EscrowStatus, PaymentStatus, ReviewState, TaskCategory, TaskStatus } from '@guildhall/protocol'
import { isoTime, isoTimeOrNull } from '../domain/instant.ts'
import type { Creator, Rating, Task } from '../domain/task/task.ts'
import { readTask } from './read-task.ts'
import { table } from './table.ts'

export type TaskRow = {
  readonly id: string
  readonly status: TaskStatus
  readonly creator_kind: Creator['kind']
  readonly creator_id: string
  readonly title: string
  readonly description: string
  readonly category: TaskCategory | null
  readonly required_capabilities: string[]
  readonly expected_output: string | null
  readonly output_format: Task['outputFormat']
  readonly expires_in_days: number | null
  readonly created_at: number
  readonly expires_at: number | null
  readonly expired_at: number | null
  readonly cancelled_at: number | null
  readonly claimed_by: string | null
  readonly claimed_at: number | null
  readonly claim_expires_at: number | null
  readonly first_submitted_at: number | null
  readonly submitted_at: number | null
  readonly auto_release_at: number | null
  readonly receipts_count: number
  readonly published_at: number | null
  readonly review_state: ReviewState | null
  readonly review_note: string | null
  readonly revision_count: number
  readonly revision_requested_at: number | null
  readonly disputed_at: number | null
  readonly accepted_by: Task['acceptedBy']
  readonly verified_at: number | null
  readonly rating_stars: number | null
  readonly rating_comment: string | null
  readonly rating_context: Rating['context'] | null
  readonly rated_at: number | null
  readonly bounty_amount: bigint | null
  readonly bounty_network: string | null
  readonly escrow_status: EscrowStatus | null
  readonly escrow_wallet: `0x${string}` | null
  readonly escrow_payer: `0x${string}` | null
  readonly escrow_deposit_id: string | null
  readonly escrow_deposit_tx: string | null
  readonly escrow_funded_at: number | null
  readonly escrow_exit_id: string | null
  readonly escrow_release_tx: string | null
  readonly escrow_released_at: number | null
  readonly escrow_refund_tx: string | null
  readonly escrow_refunded_at: number | null
  readonly payment_status: PaymentStatus
  readonly pay_to: `0x${string}` | null
  readonly payment_id: string | null
  readonly payment_tx: string | null
  readonly settled_at: number | null
  readonly settle_error: string | null
  readonly announced: boolean
  readonly proposer_signature: string | null
  readonly acceptor_signature: string | null
  readonly timer_held_until: number | null
}

export const taskTable = table<TaskRow, Task>(
  'tasks',
  {
    id: ({ id }) => id,
    status: ({ status }) => status,
    creator_kind: ({ creator }) => creator.kind,
    creator_id: ({ creator }) => (creator.kind === 'wallet' ? creator.id.toLowerCase() : creator.id),
    title: ({ title }) => title,
    description: ({ description }) => description,
    category: ({ category }) => category,
    required_capabilities: ({ requiredCapabilities }) => requiredCapabilities,
    expected_output: ({ expectedOutput }) => expectedOutput,
    output_format: ({ outputFormat }) => outputFormat,
    expires_in_days: ({ expiresInDays }) => expiresInDays,
    created_at: ({ createdAt }) => isoTime(createdAt),
    expires_at: ({ expiresAt }) => isoTimeOrNull(expiresAt),
    expired_at: ({ expiredAt }) => isoTimeOrNull(expiredAt),
    cancelled_at: ({ cancelledAt }) => isoTimeOrNull(cancelledAt),
    claimed_by: ({ claimedBy }) => claimedBy,
    claimed_at: ({ claimedAt }) => isoTimeOrNull(claimedAt),
    claim_expires_at: ({ claimExpiresAt }) => isoTimeOrNull(claimExpiresAt),
    first_submitted_at: ({ firstSubmittedAt }) => isoTimeOrNull(firstSubmittedAt),
    submitted_at: ({ submittedAt }) => isoTimeOrNull(submittedAt),
    auto_release_at: ({ autoReleaseAt }) => isoTimeOrNull(autoReleaseAt),
    receipts_count: ({ receiptsCount }) => receiptsCount,
    published_at: ({ publishedAt }) => isoTimeOrNull(publishedAt),
    review_state: ({ reviewState }) => reviewState,
    review_note: ({ reviewNote }) => reviewNote,
    revision_count: ({ revisionCount }) => revisionCount,
    revision_requested_at: ({ revisionRequestedAt }) => isoTimeOrNull(revisionRequestedAt),
    disputed_at: ({ disputedAt }) => isoTimeOrNull(disputedAt),
    accepted_by: ({ acceptedBy }) => acceptedBy,
    verified_at: ({ verifiedAt }) => isoTimeOrNull(verifiedAt),
    rating_stars: ({ rating }) => rating?.stars ?? null,
    rating_comment: ({ rating }) => rating?.comment ?? null,
    rating_context: ({ rating }) => rating?.context ?? null,
    rated_at: ({ rating }) => isoTimeOrNull(rating?.at ?? null),
    bounty_amount: ({ bounty }) => bounty?.amount ?? null,
    bounty_network: ({ bounty }) => bounty?.network ?? null,
    escrow_status: ({ escrow }) => escrow?.status ?? null,
    escrow_wallet: ({ escrow }) => escrow?.wallet ?? null,
    escrow_payer: ({ escrow }) => escrow?.payer ?? null,
    escrow_deposit_id: ({ escrow }) => escrow?.depositId ?? null,
    escrow_deposit_tx: ({ escrow }) => escrow?.depositTx ?? null,
    escrow_funded_at: ({ escrow }) => isoTimeOrNull(escrow?.fundedAt ?? null),
    escrow_exit_id: ({ escrow }) => escrow?.exitId ?? null,
    escrow_release_tx: ({ escrow }) => escrow?.releaseTx ?? null,
    escrow_released_at: ({ escrow }) => isoTimeOrNull(escrow?.releasedAt ?? null),
    escrow_refund_tx: ({ escrow }) => escrow?.refundTx ?? null,
    escrow_refunded_at: ({ escrow }) => isoTimeOrNull(escrow?.refundedAt ?? null),
    payment_status: ({ paymentStatus }) => paymentStatus,
    pay_to: ({ payTo }) => payTo,
    payment_id: ({ paymentId }) => paymentId,
    payment_tx: ({ paymentTx }) => paymentTx,
    settled_at: ({ settledAt }) => isoTimeOrNull(settledAt),
    settle_error: ({ settleError }) => settleError,
    announced: ({ announced }) => announced,
    proposer_signature: ({ proposerSignature }) => proposerSignature,
    acceptor_signature: ({ acceptorSignature }) => acceptorSignature,
    timer_held_until: ({ timerHeldUntil }) => isoTimeOrNull(timerHeldUntil),
  },
  readTask,
)

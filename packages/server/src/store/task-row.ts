import type { EscrowStatus, PaymentStatus, ReviewState, TaskCategory, TaskStatus } from '@guildhall/protocol'
import type { Creator, Rating, Task } from '../domain/task/task.ts'

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

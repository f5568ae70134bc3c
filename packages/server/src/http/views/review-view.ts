import type { Accepted } from '../../actions/tasks/accept-task.ts'
import { type Instant, isoTimeOrNull } from '../../domain/instant.ts'
import type { Task } from '../../domain/task/task.ts'
import { nextActionsView } from './next-actions-view.ts'
import { escrowView } from './payment-view.ts'

const ok = true as const

export const acceptedView = ({ task, seal }: Accepted, now: Instant) => ({
  ok,
  task_id: task.id,
  status: task.status,
  accepted_by: task.acceptedBy,
  payment_status: task.paymentStatus,
  payment_tx_hash: task.paymentTx,
  settle_error: task.settleError,
  chain_sequence: seal?.sequence ?? null,
  chain_entry_hash: seal?.entryHash ?? null,
  rating: task.rating?.stars ?? null,
  next_actions: nextActionsView(task, 'poster', now),
})

export const revisionView = (task: Task, now: Instant) => ({
  ok,
  task_id: task.id,
  status: task.status,
  review_state: task.reviewState,
  revision_count: task.revisionCount,
  next_actions: nextActionsView(task, 'poster', now),
})

export const disputeView = (task: Task, now: Instant) => ({
  ok,
  task_id: task.id,
  status: task.status,
  review_state: task.reviewState,
  disputed_at: isoTimeOrNull(task.disputedAt),
  payment_status: task.paymentStatus,
  rating: task.rating?.stars ?? null,
  next_actions: nextActionsView(task, 'poster', now),
})

export const cancelView = (task: Task, now: Instant) => ({
  ok,
  task_id: task.id,
  status: task.status,
  payment_status: task.paymentStatus,
  escrow: escrowView(task),
  refund_tx_hash: task.escrow?.refundTx ?? null,
  next_actions: nextActionsView(task, 'poster', now),
})

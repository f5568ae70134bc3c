import { type Instant, isoTimeOrNull } from '../../domain/instant.ts'
import { isClaimable } from '../../domain/task/claimable.ts'
import type { Task } from '../../domain/task/task.ts'
import { bountyView } from './bounty-view.ts'
import { nextActionsView } from './next-actions-view.ts'
import { escrowView } from './payment-view.ts'

const ok = true as const

export const postedView = (task: Task, now: Instant) => ({
  ok,
  task_id: task.id,
  status: task.status,
  payment_status: task.paymentStatus,
  bounty: bountyView(task.bounty),
  escrow: escrowView(task),
  ...(task.escrow ? { claimable: isClaimable(task) } : {}),
  deposit_tx_hash: task.escrow?.depositTx ?? null,
  settle_error: task.settleError,
  next_actions: nextActionsView(task, 'poster', now),
})

export const fundedView = (task: Task, now: Instant) => ({
  ok,
  task_id: task.id,
  status: task.status,
  payment_status: task.paymentStatus,
  escrow: escrowView(task),
  claimable: isClaimable(task),
  deposit_tx_hash: task.escrow?.depositTx ?? null,
  next_actions: nextActionsView(task, 'poster', now),
})

export const publishedView = ({ id, publishedAt }: Task) => ({
  ok,
  task_id: id,
  submission_public: publishedAt !== null,
  published_at: isoTimeOrNull(publishedAt),
})

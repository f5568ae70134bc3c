import type { Delivered } from '../../actions/tasks/deliver-task.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Task } from '../../domain/task/task.ts'
import { nextActionsView } from './next-actions-view.ts'

const ok = true as const

export const claimedView = (task: Task, now: Instant) => ({
  ok,
  task_id: task.id,
  status: task.status,
  next_actions: nextActionsView(task, 'deliverer', now),
})

export const deliveredView = ({ task, receipt, seal }: Delivered, now: Instant) => ({
  ok,
  task_id: task.id,
  receipt_id: receipt.id,
  chain_sequence: seal?.sequence ?? null,
  chain_entry_hash: seal?.entryHash ?? null,
  status: task.status,
  revision_count: task.revisionCount,
  next_actions: nextActionsView(task, 'deliverer', now),
})

/** The answer of the legacy /submit. */
export const submittedView = ({ task, submission }: Delivered, now: Instant) => ({
  ok,
  submission_id: submission.id,
  task_id: task.id,
  status: task.status,
  revision_count: task.revisionCount,
  next_actions: nextActionsView(task, 'deliverer', now),
})

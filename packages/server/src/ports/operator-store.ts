import type { Instant } from '../domain/instant.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'

/** What needs an operator. */
export type OperatorReads = {
  /** Tasks with a disputed delivery, oldest first. */
  disputedTasks(limit: number): Promise<readonly Task[]>
  /** Transfers in flight since before this time, and payouts that can no longer be made as intended. */
  stuckTransfers(before: Instant, limit: number): Promise<readonly Transfer[]>
}

import type { Instant } from '../domain/instant.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'

/** What a person has to look at. */
export type OperatorReads = {
  /** Deliveries that their posters dispute, the oldest first. */
  disputedTasks(limit: number): Promise<readonly Task[]>
  /** Money that has been on its way since before that moment, and payouts that can never arrive as they were meant. */
  stuckTransfers(before: Instant, limit: number): Promise<readonly Transfer[]>
}

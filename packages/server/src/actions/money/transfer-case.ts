import type { Task } from '../../domain/task/task.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Evidence } from '../../ports/chain.ts'
import type { SettleOutcome } from '../../ports/facilitator.ts'

/** A transfer with its task, both locked, and the evidence from the chain. */
export type TransferCase = {
  readonly transfer: Transfer
  readonly task: Task | null
  readonly evidence: Evidence
  readonly hint: SettleOutcome | null
}

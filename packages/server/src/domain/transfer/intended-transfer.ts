import type { Instant } from '../instant.ts'
import type { Transfer } from './transfer.ts'

type Intent = Pick<Transfer, 'id' | 'purpose' | 'authorization'> &
  Partial<Pick<Transfer, 'signature' | 'taskId' | 'agentId' | 'depositId' | 'fromBlock'>>

/** A transfer as first stored: nothing was tried yet, and the first attempt is due. */
export const intendedTransfer = (intent: Intent, now: Instant): Transfer => ({
  signature: null,
  taskId: null,
  agentId: null,
  depositId: null,
  fromBlock: 0n,
  ...intent,
  redirectTo: null,
  state: 'intended',
  txHash: null,
  blockNumber: null,
  mature: false,
  final: false,
  attempts: 0,
  lastError: null,
  nextAttemptAt: now,
  leaseUntil: null,
  fence: 0,
  createdAt: now,
  settledAt: null,
})

import { SECOND } from '../durations.ts'
import { limits } from '../limits.ts'
import type { StatementEnd } from './statement-lines.ts'
import {
  type PayoutWalletStatement,
  parsePayoutWalletMessage,
  parseTaskActionMessage,
  type TaskAction,
  type TaskActionStatement,
} from './wallet-statement.ts'

type CommonReason = 'malformed_message' | 'address_mismatch' | 'network_mismatch' | 'expired' | 'issued_in_future'
export type PayoutWalletReason = CommonReason | 'agent_mismatch'
export type TaskActionReason = CommonReason | 'task_mismatch' | 'action_mismatch'

/** A valid statement, or the first reason why it is not. */
export type Judgement<Statement, Reason> = { readonly statement: Statement } | { readonly reason: Reason }

type Expected = {
  readonly serviceName: string
  /** In any letter case. */
  readonly wallet: string
  readonly network: string
  readonly nowMs: number
}

/** Everything that can be checked in a payout wallet proof without its signature, in the order of the specification's reasons. */
export function judgePayoutWalletMessage(
  message: string,
  expected: Expected & { readonly agentId: string },
): Judgement<PayoutWalletStatement, PayoutWalletReason> {
  const statement = parsePayoutWalletMessage(expected.serviceName, message)
  if (statement === null) return { reason: 'malformed_message' }
  if (statement.agentId !== expected.agentId) return { reason: 'agent_mismatch' }
  const reason = reasonOfEnd(statement, expected)
  return reason === null ? { statement } : { reason }
}

export function judgeTaskActionMessage(
  message: string,
  expected: Expected & { readonly taskId: string; readonly action: TaskAction },
): Judgement<TaskActionStatement, TaskActionReason> {
  const statement = parseTaskActionMessage(expected.serviceName, message)
  if (statement === null) return { reason: 'malformed_message' }
  if (statement.taskId !== expected.taskId) return { reason: 'task_mismatch' }
  if (statement.action !== expected.action) return { reason: 'action_mismatch' }
  const reason = reasonOfEnd(statement, expected)
  return reason === null ? { statement } : { reason }
}

function reasonOfEnd(statement: StatementEnd, expected: Expected): CommonReason | null {
  if (statement.wallet !== expected.wallet.toLowerCase()) return 'address_mismatch'
  if (statement.network !== expected.network) return 'network_mismatch'
  // `Issued` has whole seconds, so the clock is rounded down to seconds, too.
  const ageSeconds = Math.floor(expected.nowMs / SECOND) - statement.issuedAt
  const { lifeMs, skewSeconds } = limits.walletProof
  if (ageSeconds * SECOND > lifeMs) return 'expired'
  if (ageSeconds < -skewSeconds) return 'issued_in_future'
  return null
}

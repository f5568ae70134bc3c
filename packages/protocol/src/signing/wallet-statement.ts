import { END_LABELS, readEnd, readLines, type StatementEnd, writeEnd, writeLines } from './statement-lines.ts'

export const TASK_ACTIONS = ['read', 'accept', 'revision', 'dispute', 'cancel'] as const
export type TaskAction = (typeof TASK_ACTIONS)[number]

const TASK_ID = /^[A-Za-z0-9_-]{1,64}$/

export type PayoutWalletStatement = StatementEnd & {
  readonly agentId: string
}

export type TaskActionStatement = StatementEnd & {
  readonly taskId: string
  readonly action: TaskAction
}

/** What a wallet signs to become an agent's payout wallet (4.3 of the specification). */
export function payoutWalletMessage(serviceName: string, statement: PayoutWalletStatement): string {
  return writeLines(payoutTitle(serviceName), { Agent: statement.agentId, ...writeEnd(statement) })
}

export function parsePayoutWalletMessage(serviceName: string, message: string): PayoutWalletStatement | null {
  const values = readLines(message, payoutTitle(serviceName), ['Agent', ...END_LABELS])
  if (values === null) return null
  const end = readEnd(values)
  if (end === null || !isNamed(values.Agent)) return null
  return { agentId: values.Agent, ...end }
}

/** What a paying wallet signs to read or decide on the task that it posted (4.2 of the specification). */
export function taskActionMessage(serviceName: string, statement: TaskActionStatement): string {
  const { taskId, action } = statement
  return writeLines(actionTitle(serviceName), { Task: taskId, Action: action, ...writeEnd(statement) })
}

export function parseTaskActionMessage(serviceName: string, message: string): TaskActionStatement | null {
  const values = readLines(message, actionTitle(serviceName), ['Task', 'Action', ...END_LABELS])
  if (values === null) return null
  const end = readEnd(values)
  if (end === null || !TASK_ID.test(values.Task)) return null
  const action = TASK_ACTIONS.find((known) => known === values.Action)
  return action === undefined ? null : { taskId: values.Task, action, ...end }
}

/** Any name passes: naming somebody else is another mistake than naming nobody. */
const isNamed = (value: string): boolean => value !== '' && value === value.trim()

const payoutTitle = (serviceName: string): string => `${serviceName} payout wallet`
const actionTitle = (serviceName: string): string => `${serviceName} task action`

import type { Instant } from '../instant.ts'

/** One line of a task's payment history. */
export type PaymentEvent = {
  readonly id: string
  readonly taskId: string
  readonly type: string
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: Instant
}

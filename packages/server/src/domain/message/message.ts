import type { MessageStatus, MessageType } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** A message from one agent to another. Its text is data, never instructions. */
export type Message = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly type: MessageType
  readonly subject: string
  readonly body: string
  readonly status: MessageStatus
  readonly replyTo: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant
}

import type { MessageStatus, MessageType } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import type { Message } from '../domain/message/message.ts'

export type MessageFilter = {
  readonly agentId: string
  readonly box: 'received' | 'sent'
  readonly status: MessageStatus | null
  readonly type: MessageType | null
  readonly limit: number
  readonly offset: number
}

export type MessageReads = {
  message(id: string): Promise<Message | null>
  /** Newest first. */
  listMessages(filter: MessageFilter): Promise<readonly Message[]>
  /** Messages whose time is over and which the timer has not seen. */
  dueMessages(now: Instant, limit: number): Promise<readonly string[]>
}

export type MessageWrites = {
  insertMessage(message: Message): Promise<void>
  lockMessage(id: string): Promise<Message | null>
  /** Moves those that are in the first state to the second; the others stay as they are. */
  moveMessages(ids: readonly string[], from: MessageStatus, to: MessageStatus, at: Instant): Promise<number>
}

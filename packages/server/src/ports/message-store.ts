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
  /** Messages that have expired, but are not marked as expired yet. */
  dueMessages(now: Instant, limit: number): Promise<readonly string[]>
}

export type MessageWrites = {
  insertMessage(message: Message): Promise<void>
  lockMessage(id: string): Promise<Message | null>
  /** Moves those that are in state `from` to `to`; others stay as they are. */
  moveMessages(ids: readonly string[], from: MessageStatus, to: MessageStatus, at: Instant): Promise<number>
}

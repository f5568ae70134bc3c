import type { EventType } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

export type NewEvent = {
  readonly agentId: string
  readonly type: EventType
  readonly refKind: 'task' | 'message' | 'agent' | 'verification'
  readonly refId: string
  readonly actorId: string | null
  readonly payload: Readonly<Record<string, unknown>>
}

export type InboxEvent = NewEvent & {
  readonly id: string
  /** Gapless within one inbox and in commit order: the cursor. */
  readonly position: number
  readonly createdAt: Instant
  readonly readAt: Instant | null
}

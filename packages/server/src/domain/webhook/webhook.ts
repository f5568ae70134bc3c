import type { DeliveryStatus, EventType } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** Where an agent's events are pushed to, and how far that has come. */
export type Webhook = {
  readonly agentId: string
  readonly url: string
  /** The cursor: events up to here have been delivered or given up, in order. */
  readonly position: number
  /** Failed tries of the event after the cursor. */
  readonly attempts: number
  readonly salts: WebhookSalts
  /** Whoever holds an older lease has nothing to say any more. */
  readonly fence: number
}

/** What the agent's secrets are made from: the newest, and for a while the one before it. */
export type WebhookSalts = { readonly current: Uint8Array; readonly old: Uint8Array | null }

/** What became of one event on its way. */
export type Delivery = {
  readonly eventId: string
  readonly eventType: EventType
  readonly position: number
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly lastError: string | null
  readonly nextAttemptAt: Instant | null
  readonly endedAt: Instant | null
  readonly createdAt: Instant
}

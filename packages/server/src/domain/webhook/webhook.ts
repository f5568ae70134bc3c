import type { DeliveryStatus, EventType } from '@guildhall/protocol'
import type { InboxEvent } from '../inbox/event.ts'
import type { Instant } from '../instant.ts'

/** Where an agent's events are pushed, and how far that has come. */
export type Webhook = {
  readonly agentId: string
  readonly url: string
  /** The cursor: events up to here have been tried. */
  readonly position: number
  /** Failed attempts since an event last arrived. */
  readonly failures: number
  readonly salts: WebhookSalts
  /** Counts leases: the holder of an older one must not write. */
  readonly fence: number
}

/** Salts from which the agent's secrets are derived: the current one, and for a while the previous one. */
export type WebhookSalts = { readonly current: Uint8Array; readonly old: Uint8Array | null }

/** An event that has not arrived yet, and how often it was tried. */
export type WaitingEvent = { readonly event: InboxEvent; readonly attempts: number }

/** The outcome of one event's delivery. */
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

import type { DeliveryStatus } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import type { Delivery, WaitingEvent, Webhook } from '../domain/webhook/webhook.ts'

export type DeliveryQuery = {
  readonly agentId: string
  readonly status: DeliveryStatus | null
  /** Only those before this position. */
  readonly before: number | null
  readonly limit: number
}

export type WebhookReads = {
  /** Agents with events to push; those that have waited longest for their turn come first. */
  dueWebhooks(now: Instant, limit: number): Promise<readonly string[]>
  /** Events that failed and are to be tried again by now, in inbox order. */
  dueRetries(agentId: string, now: Instant, limit: number): Promise<readonly WaitingEvent[]>
  /** Whether some node is pushing events right now. */
  isPushing(now: Instant): Promise<boolean>
  /** Newest first. */
  webhookDeliveries(query: DeliveryQuery): Promise<readonly Delivery[]>
}

export type FailedAttempt = { readonly position: number; readonly attempts: number; readonly error: string }

/** How many attempts have failed in a row, and until when the address rests for that; null when it does not. */
export type Rest = { readonly failures: number; readonly until: Instant | null }

export type WebhookWrites = {
  /** Replaces the salt of the secret; the old one stays valid until `oldUntil`. False when there was none before. */
  rotateWebhookSalt(agentId: string, salt: Uint8Array, oldUntil: Instant): Promise<boolean>
  /** Takes the lease if it is free and an attempt is due; `salt` is stored if the webhook has none yet. */
  leaseWebhook(agentId: string, now: Instant, until: Instant, salt: Uint8Array): Promise<Webhook | null>
  /** Ends the turn, so that webhooks that have waited longer come next. */
  releaseWebhook(webhook: Webhook, at: Instant): Promise<void>
  /** Records that an event has arrived. False when the lease was lost. */
  noteDelivered(webhook: Webhook, position: number, attempts: number, at: Instant): Promise<boolean>
  /** Schedules the next attempt at an event. False when the lease was lost. */
  noteFailed(
    webhook: Webhook,
    attempt: FailedAttempt & { readonly nextAttemptAt: Instant },
    rest: Rest,
  ): Promise<boolean>
  /** Records that an event will not be tried again. False when the lease was lost. */
  noteGivenUp(webhook: Webhook, attempt: FailedAttempt & { readonly at: Instant }, rest: Rest): Promise<boolean>
  /** Gives up what has waited since `waitingSince` or longer, a batch at a time. */
  giveUpEvents(
    webhook: Webhook,
    waitingSince: Instant,
    at: Instant,
  ): Promise<{ readonly count: number; readonly more: boolean }>
}

import type { DeliveryStatus } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import type { Delivery, Webhook } from '../domain/webhook/webhook.ts'

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
  /** Whether some node is pushing events right now. */
  isPushing(now: Instant): Promise<boolean>
  /** Newest first. */
  webhookDeliveries(query: DeliveryQuery): Promise<readonly Delivery[]>
}

export type WebhookWrites = {
  /** Replaces the salt of the secret; the old one stays valid until `oldUntil`. False when there was none before. */
  rotateWebhookSalt(agentId: string, salt: Uint8Array, oldUntil: Instant): Promise<boolean>
  /** Takes the lease if it is free and an attempt is due; `salt` is stored if the webhook has none yet. */
  leaseWebhook(agentId: string, now: Instant, until: Instant, salt: Uint8Array): Promise<Webhook | null>
  /** Ends the turn, so that webhooks that have waited longer come next. */
  releaseWebhook(webhook: Webhook, at: Instant): Promise<void>
  /** Moves the cursor past a delivered event. False when the lease was lost. */
  noteDelivered(webhook: Webhook, position: number, attempts: number, at: Instant): Promise<boolean>
  /** Releases the lease and schedules the next attempt. */
  noteFailed(webhook: Webhook, attempts: number, error: string, nextAttemptAt: Instant): Promise<void>
  /** Moves the cursor past undeliverable events: `head`, and later ones older than `waitingSince`, a batch at a time. */
  giveUpEvents(
    webhook: Webhook,
    head: { readonly position: number; readonly attempts: number; readonly error: string } | null,
    waitingSince: Instant,
    at: Instant,
  ): Promise<{ readonly position: number; readonly more: boolean }>
}

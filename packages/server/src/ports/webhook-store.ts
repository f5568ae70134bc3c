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
  /** Agents for whom events wait to be pushed; those that have waited longest for their turn come first. */
  dueWebhooks(now: Instant, limit: number): Promise<readonly string[]>
  /** Newest first. */
  webhookDeliveries(query: DeliveryQuery): Promise<readonly Delivery[]>
}

export type WebhookWrites = {
  /** Makes a new secret of this salt; the old one counts until then. False when there was none before. */
  rotateWebhookSalt(agentId: string, salt: Uint8Array, oldUntil: Instant): Promise<boolean>
  /** Takes the lease when it is free and an attempt is due; the salt is for a webhook that has none yet. */
  leaseWebhook(agentId: string, now: Instant, until: Instant, salt: Uint8Array): Promise<Webhook | null>
  /** The turn is over; webhooks that have waited longer come first. */
  releaseWebhook(webhook: Webhook, at: Instant): Promise<void>
  /** Moves the cursor over an event that has arrived. False when the lease was lost. */
  noteDelivered(webhook: Webhook, position: number, attempts: number, at: Instant): Promise<boolean>
  /** Gives the lease back and waits until the next try. */
  noteFailed(webhook: Webhook, attempts: number, error: string, nextAttemptAt: Instant): Promise<void>
  /** Moves the cursor over undeliverable events: this one and later ones from before `waitingSince`, a batch at a time. */
  giveUpEvents(
    webhook: Webhook,
    head: { readonly position: number; readonly attempts: number; readonly error: string } | null,
    waitingSince: Instant,
    at: Instant,
  ): Promise<{ readonly position: number; readonly more: boolean }>
}

import type { InboxEvent } from '../domain/inbox/event.ts'
import type { Instant } from '../domain/instant.ts'
import type { Webhook } from '../domain/webhook/webhook.ts'

export type PushOutcome = { readonly kind: 'arrived' } | { readonly kind: 'failed'; readonly error: string }

/** Pushes events to agents, signed by the Standard Webhooks rules. The secrets never leave it but for their owner's eyes. */
export type Webhooks = {
  /** The secret that a salt makes for an agent, as its owner is shown it. */
  secretText(agentId: string, salt: Uint8Array): string
  /** One try; it ends within its own deadline and never throws. */
  push(webhook: Webhook, event: InboxEvent, now: Instant): Promise<PushOutcome>
}

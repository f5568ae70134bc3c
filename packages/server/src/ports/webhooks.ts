import type { InboxEvent } from '../domain/inbox/event.ts'
import type { Instant } from '../domain/instant.ts'
import type { Webhook } from '../domain/webhook/webhook.ts'

export type PushOutcome = { readonly kind: 'arrived' } | { readonly kind: 'failed'; readonly error: string }

/** Pushes events to agents, signed by the Standard Webhooks rules. Secrets are shown only to their own agent. */
export type Webhooks = {
  /** The agent's secret for a salt, in the form in which the agent is shown it. */
  secretText(agentId: string, salt: Uint8Array): string
  /** One attempt; it ends within its own deadline and never throws. */
  push(webhook: Webhook, event: InboxEvent, now: Instant): Promise<PushOutcome>
}

import { createHmac } from 'node:crypto'
import { API_VERSION, limits, webhookSecretText, webhookSignature } from '@guildhall/protocol'
import { eventDocument } from '../domain/inbox/event-document.ts'
import { unixSeconds } from '../domain/instant.ts'
import type { Outgoing, OutgoingOutcome } from '../ports/outgoing.ts'
import type { PushOutcome, Webhooks } from '../ports/webhooks.ts'

const MAX_ANSWER_BYTES = 4 * 1024

/** Secrets are not stored: each is derived from the registry's key and a salt in the database. */
export function createWebhooks(options: { readonly outgoing: Outgoing; readonly registryKey: Uint8Array }): Webhooks {
  const master = createHmac('sha256', options.registryKey).update('guildhall webhook secrets').digest()
  const secretOf = (agentId: string, salt: Uint8Array): Uint8Array =>
    createHmac('sha256', master).update(agentId).update('\0').update(salt).digest()
  return {
    secretText: (agentId, salt) => webhookSecretText(secretOf(agentId, salt)),
    async push({ url, agentId, salts }, event, now) {
      const body = JSON.stringify(eventDocument(event))
      const timestamp = unixSeconds(now)
      const secrets = [salts.current, ...(salts.old ? [salts.old] : [])].map((salt) => secretOf(agentId, salt))
      const headers = {
        'Content-Type': 'application/json',
        'User-Agent': `Guildhall-Webhooks/${API_VERSION}`,
        'webhook-id': event.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': webhookSignature(secrets, { id: event.id, timestamp, body }),
        'X-Service-Event-Cursor': String(event.position),
      }
      const call = { method: 'POST', url, headers, body, timeoutMs: limits.webhook.answerMs } as const
      return outcomeOf(await options.outgoing({ ...call, maxBytes: MAX_ANSWER_BYTES }))
    },
  }
}

/** Only a 2xx counts; redirects are not followed, and the body is ignored. */
function outcomeOf(outcome: OutgoingOutcome): PushOutcome {
  if (outcome.kind !== 'answer') return { kind: 'failed', error: outcome.reason }
  if (outcome.status >= 200 && outcome.status < 300) return { kind: 'arrived' }
  return { kind: 'failed', error: `The address answered with status ${outcome.status}.` }
}

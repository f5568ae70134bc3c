import { type WebhookProblem, webhookProblem } from '@guildhall/protocol'
import type { Answer } from './call-types.ts'

export type WebhookCall = {
  /** As `webhooks.rotateSecret` showed it. */
  readonly secret: string
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw text of the body, before any parsing. */
  readonly body: string
  /** The local time in milliseconds since 1970. */
  readonly now?: number | undefined
}

export type WebhookVerdict =
  /** `cursor` is the event's inbox position, if the call named it; the same event may come twice, under the same id. */
  | { readonly holds: true; readonly event: Answer<'streamEvents'>; readonly cursor: string | null }
  | { readonly holds: false; readonly problem: WebhookProblem | 'body_malformed' }

/** Checks that a webhook call comes from the service, is recent and unchanged; returns its event. */
export function verifyWebhook({ secret, headers, body, now = Date.now() }: WebhookCall): WebhookVerdict {
  const header = headerOf(headers)
  const problem = webhookProblem({
    secret,
    body,
    nowMs: now,
    headers: {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    },
  })
  if (problem !== null) return { holds: false, problem }
  try {
    return { holds: true, event: JSON.parse(body), cursor: header('x-service-event-cursor') }
  } catch {
    return { holds: false, problem: 'body_malformed' }
  }
}

const headerOf =
  (headers: WebhookCall['headers']) =>
  (name: string): string | null => {
    if (headers instanceof Headers) return headers.get(name)
    const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
    return typeof found === 'string' ? found : (found?.join(', ') ?? null)
  }

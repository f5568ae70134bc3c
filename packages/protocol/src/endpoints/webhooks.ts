import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { queryInteger, Timestamp } from '../schemas/scalars.ts'
import { DeliveryStatus, WebhookDelivery } from '../schemas/webhook.ts'

const area = 'Events'
const params = z.object({ id: z.string() })

export const rotateWebhookSecret = endpoint({
  area,
  method: 'POST',
  path: '/v1/agents/{id}/webhook/secret',
  summary:
    'A new secret for the signatures of webhook calls, shown this once. The one before it still signs along for a day.',
  auth: 'agent',
  caching: 'private',
  params,
  returns: z.object({
    ok: z.literal(true),
    secret: z.string().meta({ description: 'whsec_ and base64, as the Standard Webhooks rules write it' }),
    old_secret_until: Timestamp.nullable(),
  }),
  refuses: ['forbidden'],
})

export const listWebhookDeliveries = endpoint({
  area,
  method: 'GET',
  path: '/v1/agents/{id}/webhook/deliveries',
  summary:
    'What became of the events on their way to the agent’s `webhook_url`, newest first. Later ones do not wait for one that is tried again.',
  auth: 'agent',
  caching: 'private',
  params,
  query: z.object({
    status: DeliveryStatus.optional(),
    before: z.string().optional(),
    limit: queryInteger(1, limits.list.max, limits.list.default),
  }),
  queryErrors: { before: 'invalid_cursor' },
  returns: z.object({
    ok: z.literal(true),
    webhook_url: z.string().nullable(),
    deliveries: z.array(WebhookDelivery),
    next_cursor: z.string().nullable().meta({ description: 'for `before`; null on the last page' }),
  }),
  refuses: ['forbidden', 'invalid_cursor'],
})

import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { InboxEvent } from '../schemas/event.ts'
import { optional, queryInteger, text } from '../schemas/scalars.ts'

const area = 'Events'
const params = z.object({ id: z.string() })

export const listEvents = endpoint({
  area,
  method: 'GET',
  path: '/v1/agents/{id}/events',
  summary: 'The agent’s own inbox: the newest events, or with `after` those that came later, oldest first.',
  auth: 'agent',
  caching: 'private',
  params,
  query: z.object({
    after: z.string().optional(),
    type: text(1, 64).optional(),
    unread: z.literal('1').optional(),
    limit: queryInteger(1, limits.events.max, limits.events.default),
  }),
  queryErrors: { after: 'invalid_cursor' },
  returns: z.object({
    events: z.array(InboxEvent),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
    unread_count: z.int(),
  }),
  refuses: ['forbidden', 'invalid_cursor'],
})

export const streamEvents = endpoint({
  area,
  method: 'GET',
  path: '/v1/agents/{id}/events/stream',
  summary:
    'The agent’s own inbox as server-sent events, as they happen: `id` is the cursor, `event` the type, `data` the event. Resume with `Last-Event-ID` or `after`; without either it starts now.',
  auth: 'agent',
  caching: 'private',
  streams: 'text/event-stream',
  params,
  query: z.object({ after: z.string().optional(), type: text(1, 64).optional() }),
  queryErrors: { after: 'invalid_cursor' },
  returns: InboxEvent,
  refuses: ['forbidden', 'invalid_cursor', 'rate_limited'],
})

export const markEventsRead = endpoint({
  area,
  method: 'POST',
  path: '/v1/agents/{id}/events/read',
  summary: 'Mark events as read, by their ids or up to a cursor.',
  auth: 'agent',
  params,
  body: z
    .object({
      up_to_cursor: optional(z.string()),
      ids: optional(z.array(z.string()).max(limits.events.readIds)),
    })
    .refine(
      (body) => (body.up_to_cursor === undefined) !== (body.ids === undefined),
      'Send either up_to_cursor or ids.',
    ),
  returns: z.object({ ok: z.literal(true), marked: z.int(), unread_count: z.int() }),
  refuses: ['forbidden', 'invalid_cursor'],
})

import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { queryInteger } from '../schemas/scalars.ts'
import { parseSettledCursor, SettledStats, SettledTask } from '../schemas/settled.ts'

const { page, windowDays, cacheSeconds } = limits.settled

const cursor = z
  .string()
  .refine(
    (text) => parseSettledCursor(text) !== null,
    'Send next_cursor of the page before, or a time in ISO-8601 UTC.',
  )
  .meta({ description: '`<settled_at>|<task_id>` from next_cursor, or a bare time: strictly older tasks follow' })

export const listSettled = endpoint({
  area: 'Tasks',
  method: 'GET',
  path: '/v1/tasks/settled',
  summary: 'Paid tasks, newest first, each with the transaction that paid it, and how long the stages took.',
  auth: 'none',
  caching: 'public',
  maxAgeSeconds: cacheSeconds,
  query: z.object({
    limit: queryInteger(1, page.max, page.default),
    cursor: cursor.optional(),
    window_days: queryInteger(windowDays.min, windowDays.max, windowDays.default),
  }),
  queryErrors: { limit: 'invalid_limit', cursor: 'invalid_cursor', window_days: 'invalid_window_days' },
  returns: z.object({
    ok: z.literal(true),
    stats: SettledStats,
    tasks: z.array(SettledTask),
    next_cursor: z.string().nullable(),
  }),
  refuses: [],
})

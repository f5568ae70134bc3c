import { z } from 'zod'
import { HOUR } from '../durations.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { EmailAddress, Owner, OwnerSession } from '../schemas/owner.ts'
import { optional, Timestamp, text } from '../schemas/scalars.ts'

const area = 'Owners'
const ok = z.object({ ok: z.literal(true) })
const { perHourPerAddress, perHourPerIp } = limits.owner.signIn

export const signIn = endpoint({
  area,
  method: 'POST',
  path: '/v1/owner/sign-in',
  summary:
    'Have a link mailed with which a person signs in. The answer is the same whether or not the address is known here.',
  auth: 'none',
  limit: { name: 'sign-in', per: 'ip', counts: 'done', points: perHourPerIp, windowMs: HOUR },
  addressLimit: { name: 'sign-in-address', per: 'address', counts: 'done', points: perHourPerAddress, windowMs: HOUR },
  body: z.object({
    email: EmailAddress,
    next: optional(text(1, 500)).meta({ description: 'a path of the console to go to afterwards' }),
  }),
  status: 202,
  returns: z.object({
    ok: z.literal(true),
    message: z.string(),
    link_valid_seconds: z.int().meta({ description: 'how long the link can be used, once' }),
  }),
  refuses: ['mail_unavailable'],
})

export const getOwnerSession = endpoint({
  area,
  method: 'GET',
  path: '/v1/owner/session',
  summary: 'Who is signed in, and the token that every change in this session carries as X-CSRF-Token.',
  auth: 'owner',
  returns: z.object({ owner: Owner, csrf_token: z.string(), expires_at: Timestamp }),
  refuses: [],
})

export const signOut = endpoint({
  area,
  method: 'POST',
  path: '/v1/owner/sign-out',
  summary: 'End this session.',
  auth: 'owner',
  returns: ok,
  refuses: [],
})

export const listOwnerSessions = endpoint({
  area,
  method: 'GET',
  path: '/v1/owner/sessions',
  summary: 'Where the owner is signed in, newest first.',
  auth: 'owner',
  returns: z.object({ sessions: z.array(OwnerSession) }),
  refuses: [],
})

export const endOtherOwnerSessions = endpoint({
  area,
  method: 'DELETE',
  path: '/v1/owner/sessions',
  summary: 'Sign out everywhere else.',
  auth: 'owner',
  returns: z.object({ ok: z.literal(true), ended: z.int() }),
  refuses: [],
})

export const endOwnerSession = endpoint({
  area,
  method: 'DELETE',
  path: '/v1/owner/sessions/{id}',
  summary: 'End one of the owner’s sessions.',
  auth: 'owner',
  params: z.object({ id: z.string() }),
  returns: ok,
  refuses: ['not_found'],
})

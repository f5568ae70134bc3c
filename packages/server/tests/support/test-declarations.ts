import { endpoint, type PaymentRequired } from '@guildhall/protocol'
import { z } from 'zod'
import { refuse } from '../../src/domain/refusal.ts'
import type { HandlersOf } from '../../src/http/handler.ts'

const area = 'Test'
const ok = z.object({ ok: z.literal(true) })
const echo = z.object({ seen: z.unknown() })

/** One endpoint of each kind. */
export const declarations = {
  health: endpoint({ area, method: 'GET', path: '/v1/health', summary: '', auth: 'none', returns: ok, refuses: [] }),
  readItem: endpoint({
    area,
    method: 'GET',
    path: '/v1/items/{id}',
    alsoAt: ['/items/{id}'],
    summary: '',
    auth: 'none',
    caching: 'public',
    params: z.object({ id: z.string() }),
    query: z.object({
      limit: z.string().regex(/^\d+$/, 'A whole number is needed.').optional(),
      after: z.string().min(3).optional(),
    }),
    queryErrors: { after: 'invalid_cursor' },
    returns: echo,
    refuses: ['not_found'],
  }),
  changeItem: endpoint({
    area,
    method: 'PUT',
    path: '/v1/items/{name}',
    summary: '',
    auth: 'agent',
    params: z.object({ name: z.string() }),
    body: z.object({ title: z.string().max(10) }),
    returns: echo,
    refuses: ['conflict'],
  }),
  secret: endpoint({
    area,
    method: 'GET',
    path: '/v1/secret',
    summary: '',
    auth: 'agent',
    caching: 'private',
    returns: echo,
    refuses: [],
  }),
  act: endpoint({ area, method: 'POST', path: '/v1/act', summary: '', auth: 'agent', returns: echo, refuses: [] }),
  report: endpoint({
    area,
    method: 'POST',
    path: '/v1/report',
    summary: '',
    auth: 'optional',
    body: z.object({ text: z.string().optional() }),
    bodyOptional: true,
    returns: echo,
    status: 201,
    refuses: [],
  }),
  post: endpoint({
    area,
    method: 'POST',
    path: '/v1/post',
    summary: '',
    auth: 'none',
    body: z.unknown(),
    returns: echo,
    refuses: [],
  }),
  pay: endpoint({
    area,
    method: 'POST',
    path: '/v1/pay',
    summary: '',
    auth: 'none',
    paid: true,
    deprecated: true,
    returns: echo,
    refuses: ['payment_required', 'invalid_signature'],
    statuses: { invalid_signature: 400 },
  }),
  limited: endpoint({
    area,
    method: 'POST',
    path: '/v1/limited',
    summary: '',
    auth: 'none',
    limit: { name: 'limited', per: 'ip', counts: 'tries', points: 2, windowMs: 60_000 },
    body: z.object({ wrong: z.boolean().optional() }),
    bodyOptional: true,
    returns: ok,
    refuses: ['not_found'],
  }),
  register: endpoint({
    area,
    method: 'POST',
    path: '/v1/register/init',
    summary: '',
    auth: 'none',
    limit: { name: 'register-init', per: 'ip', counts: 'tries', points: 1, windowMs: 60_000 },
    returns: ok,
    refuses: [],
  }),
  mine: endpoint({
    area,
    method: 'GET',
    path: '/v1/owner/mine',
    summary: '',
    auth: 'owner',
    returns: echo,
    refuses: [],
  }),
  changeMine: endpoint({
    area,
    method: 'POST',
    path: '/v1/owner/mine',
    summary: '',
    auth: 'owner',
    body: z.object({ title: z.string() }),
    returns: echo,
    refuses: [],
  }),
  sendForm: endpoint({
    area,
    method: 'POST',
    path: '/v1/form',
    summary: '',
    auth: 'none',
    form: true,
    page: true,
    body: z.object({ name: z.string().max(5), other: z.string().optional() }),
    returns: z.string(),
    refuses: ['conflict'],
  }),
  play: endpoint({
    area,
    method: 'GET',
    path: '/v1/sandbox',
    summary: '',
    auth: 'none',
    sandboxOnly: true,
    returns: ok,
    refuses: [],
  }),
}

export type TestHandlers = HandlersOf<typeof declarations>

/** What a call costs here. */
export const TERMS = {
  x402Version: 2,
  resource: { url: 'https://x', description: 'A test', mimeType: 'application/json' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '1',
      asset: `0x${'11'.repeat(20)}`,
      payTo: `0x${'22'.repeat(20)}`,
      maxTimeoutSeconds: 3_600,
      extra: { name: 'USDC', version: '2' },
    },
  ],
} satisfies PaymentRequired

const OK = { body: { ok: true } } as const
export const handlers: TestHandlers = {
  health: async () => OK,
  readItem: async ({ params, query }) =>
    params.id === 'missing' ? refuse('not_found', { resource: 'item' }) : { body: { seen: { ...params, ...query } } },
  changeItem: async ({ params, body, caller }) => ({ body: { seen: { ...params, ...body, by: caller?.agent.id } } }),
  secret: async ({ caller }) => ({ body: { seen: caller?.agent.id } }),
  act: async ({ caller }) => ({ body: { seen: caller?.signature.bodyHash } }),
  report: async ({ body, caller }) => ({ body: { seen: { ...body, by: caller?.agent.id ?? null } } }),
  post: async ({ body }) => ({ body: { seen: body } }),
  pay: async ({ payment }) =>
    payment === null
      ? refuse('payment_required', TERMS)
      : { body: { seen: payment }, headers: { 'PAYMENT-RESPONSE': 'e30=' } },
  mine: async ({ caller }) => ({ body: { seen: caller.owner.id } }),
  changeMine: async ({ caller, body }) => ({
    body: { seen: { by: caller.owner.id, held: caller.held !== undefined, ...body } },
  }),
  sendForm: async ({ body, context }) =>
    body.name === 'taken'
      ? refuse('conflict', {}, 'Somebody <b>else</b> was quicker.')
      : { page: `<p>${body.name} ${context.sameOrigin}</p>`, cookies: ['a=1', 'b=2'] },
  limited: async () => OK,
  register: async () => OK,
  play: async () => OK,
}

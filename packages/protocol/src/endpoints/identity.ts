import { z } from 'zod'
import { HOUR } from '../durations.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { IdentityLinkError, IdentityLinkStatus, LinkedIdentity } from '../schemas/identity.ts'
import { AgentId, Timestamp } from '../schemas/scalars.ts'

const area = 'External identity'
const ofAgent = z.object({ id: z.string().meta({ description: 'an agent id, or a name' }) })
const word = z.string().max(4_096)

export const startIdentityLink = endpoint({
  area,
  method: 'POST',
  path: '/v1/agents/{id}/agentid/link',
  summary:
    'Begin to link the agent to a person: open `link_url` in the browser of whoever stands behind it, within 15 minutes.',
  auth: 'agent',
  caching: 'private',
  params: ofAgent,
  limit: { name: 'identity links', per: 'agent', counts: 'done', points: limits.identityLink.perHour, windowMs: HOUR },
  returns: z.object({
    ok: z.literal(true),
    link_id: z.string(),
    link_url: z
      .string()
      .meta({ format: 'uri', description: 'at the identity provider; whoever opens it can link themselves' }),
    issuer: z.string(),
    expires_at: Timestamp,
  }),
  refuses: ['forbidden', 'agentid_unavailable'],
})

export const getIdentity = endpoint({
  area,
  method: 'GET',
  path: '/v1/agents/{id}/agentid',
  summary: 'The person who stands behind an agent, as far as it is public; null when nobody does.',
  auth: 'none',
  caching: 'public',
  params: ofAgent,
  returns: z.object({ agent_id: AgentId, agentid: LinkedIdentity.nullable() }),
  refuses: ['not_found'],
})

export const unlinkIdentity = endpoint({
  area,
  method: 'DELETE',
  path: '/v1/agents/{id}/agentid',
  summary: 'Undo the link to a person. Nothing happens when there is none.',
  auth: 'agent',
  params: ofAgent,
  returns: z.object({
    ok: z.literal(true),
    unlinked: z.boolean().meta({ description: 'whether there was a link' }),
  }),
  refuses: ['forbidden'],
})

export const getIdentityLink = endpoint({
  area,
  method: 'GET',
  path: '/v1/agentid/links/{link_id}',
  summary: 'What became of a link that was begun.',
  auth: 'none',
  caching: 'public',
  params: z.object({ link_id: z.string() }),
  returns: z.object({ status: IdentityLinkStatus, agent_id: AgentId, error: IdentityLinkError.nullable() }),
  refuses: ['not_found'],
})

export const identityCallback = endpoint({
  area,
  method: 'GET',
  path: '/v1/agentid/callback',
  summary:
    'Where the identity provider sends a person’s browser: asks whether they stand behind the agent. Not called by agents.',
  auth: 'none',
  page: true,
  query: z.object({
    state: word.optional(),
    code: word.optional(),
    error: word.optional(),
    iss: word.optional().meta({ description: 'RFC 9207' }),
  }),
  returns: z.string(),
  refuses: ['agentid_unavailable'],
})

export const confirmIdentityLink = endpoint({
  area,
  method: 'POST',
  path: '/v1/agentid/callback/confirm',
  summary: 'The person’s yes, or no, from the page of the callback. Not called by agents.',
  auth: 'none',
  page: true,
  form: true,
  body: z.object({
    state: word,
    code: word.optional(),
    refuse: z.literal('1').optional().meta({ description: 'a no: the link fails with `access_denied`' }),
  }),
  returns: z.string(),
  refuses: ['agentid_unavailable'],
})

import { z } from 'zod'
import { HOUR } from '../durations.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { OwnedAgent } from '../schemas/owner.ts'
import { AgentId, Timestamp, text } from '../schemas/scalars.ts'

const area = 'Owners'

export const createAgentCode = endpoint({
  area,
  method: 'POST',
  path: '/v1/owner/agents/codes',
  summary: 'A code for an agent to sign, which links it to this owner. A newer code takes the place of the one before.',
  auth: 'owner',
  status: 201,
  returns: z.object({
    ok: z.literal(true),
    code: z.string().meta({ description: 'shown this once' }),
    expires_at: Timestamp,
  }),
  refuses: [],
})

export const listOwnerAgents = endpoint({
  area,
  method: 'GET',
  path: '/v1/owner/agents',
  summary: 'The agents that are linked to this owner, the newest link first.',
  auth: 'owner',
  returns: z.object({ agents: z.array(OwnedAgent) }),
  refuses: [],
})

export const unlinkOwnerAgent = endpoint({
  area,
  method: 'DELETE',
  path: '/v1/owner/agents/{id}',
  summary: 'End the link to an agent.',
  auth: 'owner',
  params: z.object({ id: AgentId }),
  returns: z.object({ ok: z.literal(true), unlinked: z.literal(true) }),
  refuses: ['not_found'],
})

export const linkToOwner = endpoint({
  area,
  method: 'POST',
  path: '/v1/agents/{id}/owner',
  summary: 'Link the agent to the owner who was shown this code in the console.',
  auth: 'agent',
  caching: 'private',
  params: z.object({ id: z.string() }),
  limit: { name: 'link-to-owner', per: 'ip', counts: 'tries', points: limits.owner.codeTriesPerHour, windowMs: HOUR },
  body: z.object({ code: text(1, 100) }),
  returns: z.object({
    ok: z.literal(true),
    agent_id: AgentId,
    owner_email: z.string().nullable().meta({ description: 'masked, to see whose code it was' }),
    linked_at: Timestamp,
  }),
  refuses: ['forbidden', 'invalid_code', 'conflict'],
})

export const unlinkFromOwner = endpoint({
  area,
  method: 'DELETE',
  path: '/v1/agents/{id}/owner',
  summary: 'End the link to the owner. Without one it changes nothing.',
  auth: 'agent',
  caching: 'private',
  params: z.object({ id: z.string() }),
  returns: z.object({ ok: z.literal(true), unlinked: z.boolean() }),
  refuses: ['forbidden'],
})

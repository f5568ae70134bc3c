import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { AgentProfile, AgentStatus, OwnProfile, ProfileUpdate } from '../schemas/agent.ts'
import { Reputation } from '../schemas/reputation.ts'
import { queryInteger, queryList, text } from '../schemas/scalars.ts'

const area = 'Agents'
const params = z.object({ id: z.string().meta({ description: 'an agent id, or a name' }) })
const { search, list } = limits

export const searchAgents = endpoint({
  area,
  method: 'GET',
  path: '/v1/agents/search',
  summary: 'Find agents by words, capabilities, protocols and status.',
  auth: 'none',
  caching: 'public',
  query: z.object({
    q: text(1, search.query)
      .meta({
        description: `words of the profile, in any order; beginnings of words and typing errors are understood; of more than ${search.words} different words the first count`,
      })
      .optional(),
    status: z
      .enum([...AgentStatus.options, 'all'])
      .optional()
      .meta({ description: 'without it, every agent that is not suspended' }),
    capabilities: queryList(limits.agent.capabilities.length, search.list).meta({
      description: 'comma-separated; an agent has all of them',
    }),
    protocols: queryList(limits.agent.capabilities.length, search.list).meta({
      description: 'comma-separated; an agent speaks all of them',
    }),
    sort: z.enum(['reputation', 'registered_at', 'name']).default('reputation'),
    limit: queryInteger(1, list.max, list.default),
    page: queryInteger(1, search.maxPage, 1),
  }),
  returns: z.object({
    agents: z.array(AgentProfile),
    pagination: z.object({ page: z.int(), limit: z.int(), total: z.int(), total_pages: z.int() }),
  }),
  refuses: [],
})

export const updateAgent = endpoint({
  area,
  method: 'PUT',
  path: '/v1/agents/{id}',
  summary:
    'Change any part of the agent’s own profile. New capabilities, protocols or skills go on the ledger. Answers with the profile and, beside it, `webhook_url`, which nobody else is shown.',
  auth: 'agent',
  params,
  body: ProfileUpdate,
  returns: OwnProfile,
  refuses: ['forbidden', 'name_taken'],
})

export const getReputation = endpoint({
  area,
  method: 'GET',
  path: '/v1/agents/{id}/reputation',
  summary: 'How an agent’s reputation comes about: what peers and buyers reported, and how far they are trusted.',
  auth: 'none',
  caching: 'public',
  params,
  returns: Reputation,
  refuses: ['not_found'],
})

import type { AgentStatus } from '@guildhall/protocol'
import { findAgent } from '../../actions/agents/find-agent.ts'
import { searchAgents } from '../../actions/agents/search-agents.ts'
import { updateProfile } from '../../actions/agents/update-profile.ts'
import type { Agent } from '../../domain/agent/agent.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Reputation } from '../../domain/reputation/reputation.ts'
import { scoreOf } from '../../domain/reputation/score.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { profileChanges } from '../profile-changes.ts'
import { agentView } from '../views/agent-view.ts'
import { reputationView } from '../views/reputation-view.ts'

type DirectoryHandlers = Pick<Handlers, 'getAgent' | 'searchAgents' | 'updateAgent' | 'getReputation'>

const HIDDEN_BY_DEFAULT: AgentStatus = 'suspended'
const STATUSES: readonly AgentStatus[] = ['pending', 'active', 'suspended']

export function directoryHandlers(world: World): DirectoryHandlers {
  const { store } = world
  const reputationOf = async ({ id }: Agent): Promise<Reputation> =>
    (await store.reputation(id)) ?? refuse('not_found', { resource: 'agent' })
  const viewOf = async (agent: Agent) => {
    const [reputation, identity] = await Promise.all([reputationOf(agent), store.identityOf(agent.id)])
    return agentView(agent, { score: scoreOf(reputation), verifications: reputation.received }, identity)
  }
  return {
    getAgent: async ({ params }) => ({ body: await viewOf(await findAgent(store, params.id)) }),

    async searchAgents({ query }) {
      const { limit, page } = query
      const { total, agents } = await searchAgents(store, {
        text: query.q ?? null,
        statuses: statusesFor(query.status),
        capabilities: query.capabilities ?? [],
        protocols: query.protocols ?? [],
        sort: query.sort,
        limit,
        offset: (page - 1) * limit,
      })
      const identities = await store.identitiesOf(agents.map(({ agent }) => agent.id))
      return {
        body: {
          agents: agents.map(({ agent, ...standing }) => agentView(agent, standing, identities.get(agent.id) ?? null)),
          pagination: { page, limit, total, total_pages: Math.ceil(total / limit) },
        },
      }
    },

    async updateAgent({ params, body, caller }) {
      const agent = await updateProfile(world, caller, params.id, profileChanges(body))
      return { body: { ...(await viewOf(agent)), webhook_url: agent.profile.webhookUrl } }
    },

    getReputation: async ({ params }) => ({
      body: reputationView(await reputationOf(await findAgent(store, params.id))),
    }),
  }
}

const statusesFor = (asked: AgentStatus | 'all' | undefined): readonly AgentStatus[] => {
  if (asked === 'all') return STATUSES
  return asked === undefined ? STATUSES.filter((status) => status !== HIDDEN_BY_DEFAULT) : [asked]
}

import { limits } from '@guildhall/protocol'
import { ownAgent } from '../../actions/agents/own-agent.ts'
import { createAgentCode, leaveOwner, linkAgent, unlinkAgent } from '../../actions/owners/link-agent.ts'
import { maskedEmail } from '../../domain/identity-link/masked-email.ts'
import { isoTime } from '../../domain/instant.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { ownedAgentView } from '../views/owned-agent-view.ts'

type OwnerAgentHandlers = Pick<
  Handlers,
  'createAgentCode' | 'listOwnerAgents' | 'unlinkOwnerAgent' | 'linkToOwner' | 'unlinkFromOwner'
>

const OWN_LINK = 'An agent is linked to an owner, and unlinked, by itself only.'

export function ownerAgentHandlers(world: World): OwnerAgentHandlers {
  return {
    async createAgentCode({ caller }) {
      const { code, expiresAt } = await createAgentCode(world, caller)
      return { body: { ok: true, code, expires_at: isoTime(expiresAt) } }
    },

    async listOwnerAgents({ caller }) {
      const agents = await world.store.ownedAgents(caller.owner.id, limits.owner.agentsShown)
      return { body: { agents: agents.map(ownedAgentView) } }
    },

    async unlinkOwnerAgent({ caller, params }) {
      await unlinkAgent(world, caller, params.id)
      return { body: { ok: true, unlinked: true } }
    },

    async linkToOwner({ caller, params, body }) {
      const agentId = await ownAgent(world, caller, params.id, OWN_LINK)
      const { owner, linkedAt } = await linkAgent(world, caller, body.code)
      const email = maskedEmail(owner.email)
      return { body: { ok: true, agent_id: agentId, owner_email: email, linked_at: isoTime(linkedAt) } }
    },

    async unlinkFromOwner({ caller, params }) {
      await ownAgent(world, caller, params.id, OWN_LINK)
      return { body: { ok: true, unlinked: await leaveOwner(world, caller) } }
    },
  }
}

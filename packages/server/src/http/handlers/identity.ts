import { endpoints } from '@guildhall/protocol'
import { consentPage, identityResultPage, refusedAtProviderPage } from '@guildhall/web'
import { findAgent } from '../../actions/agents/find-agent.ts'
import { ownAgent } from '../../actions/agents/own-agent.ts'
import { askForConsent } from '../../actions/identity/ask-for-consent.ts'
import { confirmIdentityLink, refuseIdentityLink } from '../../actions/identity/confirm-identity-link.ts'
import { findIdentityLink } from '../../actions/identity/find-identity-link.ts'
import { startIdentityLink } from '../../actions/identity/start-identity-link.ts'
import { unlinkIdentity } from '../../actions/identity/unlink-identity.ts'
import { isoTime } from '../../domain/instant.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { bindingCookie, bindingIn, noBindingCookie } from '../binding-cookie.ts'
import type { CallContext, Handlers } from '../handler.ts'
import { standingHeader } from '../rate-limit.ts'
import { identityView } from '../views/identity-view.ts'

type IdentityHandlers = Pick<
  Handlers,
  | 'startIdentityLink'
  | 'getIdentity'
  | 'unlinkIdentity'
  | 'getIdentityLink'
  | 'identityCallback'
  | 'confirmIdentityLink'
>

const OWN_IDENTITY = 'Only the agent itself is linked to a person, or unlinked.'

export function identityHandlers(world: World): IdentityHandlers {
  const { serviceName } = world.rules
  return {
    async startIdentityLink({ params, caller }) {
      await ownAgent(world, caller, params.id, OWN_IDENTITY)
      const { link, url, standing } = await startIdentityLink(world, caller)
      return {
        body: {
          ok: true,
          link_id: link.id,
          link_url: url,
          issuer: link.issuer,
          expires_at: isoTime(link.expiresAt),
        },
        headers: standingHeader(endpoints.startIdentityLink.limit, standing),
      }
    },

    async getIdentity({ params }) {
      const { id } = await findAgent(world.store, params.id)
      return { body: { agent_id: id, agentid: identityView(await world.store.identityOf(id)) } }
    },

    async unlinkIdentity({ params, caller }) {
      await ownAgent(world, caller, params.id, OWN_IDENTITY)
      return { body: { ok: true, unlinked: await unlinkIdentity(world, caller) } }
    },

    async getIdentityLink({ params }) {
      const { status, agentId, error } = await findIdentityLink(world, params.link_id)
      return { body: { status, agent_id: agentId, error } }
    },

    async identityCallback({ query, context }) {
      const { state = '', code = null, error = null } = query
      const answer = { state, code, error, issuer: query.iss ?? null, bindingFor: bindings(context) }
      const { link, agent, providerName, newBinding } = await askForConsent(world, answer)
      const cookies = newBinding === null ? [] : [bindingCookie(link, newBinding, context.now)]
      const told = { serviceName, agentId: agent.id, agentName: agent.profile.name, providerName, state }
      return code === null || error !== null
        ? { status: 400, page: refusedAtProviderPage(told), cookies }
        : { page: consentPage({ ...told, code }), cookies }
    },

    async confirmIdentityLink({ body, context }) {
      if (!context.sameOrigin) refuse('bad_request', {}, 'The form was sent from another site. Nothing was linked.')
      const decision = { state: body.state, bindingFor: bindings(context) }
      if (body.refuse !== undefined) {
        const { id } = await refuseIdentityLink(world, decision)
        return { page: identityResultPage({ serviceName, linked: null }), cookies: [noBindingCookie(id)] }
      }
      const code = body.code ?? refuse('bad_request', {}, 'The code of the identity provider is missing.')
      const { link, agent, identity } = await confirmIdentityLink(world, { ...decision, code })
      const linked = { ...identity, agentName: agent.profile.name }
      return { page: identityResultPage({ serviceName, linked }), cookies: [noBindingCookie(link.id)] }
    },
  }
}

const bindings =
  ({ header }: CallContext) =>
  (linkId: string): string | null =>
    bindingIn(header('cookie'), linkId)

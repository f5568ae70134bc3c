import { SECOND } from '@guildhall/protocol'
import type { Answer, Call, CallOptions } from './call-types.ts'
import type { Identity } from './identity.ts'
import type { Sleep } from './sleep.ts'

type LinkState = Answer<'getIdentityLink'>

const LOOK_EVERY_MS = 2 * SECOND

/** The person linked to an agent, by their account at the service's identity provider. */
export const identityLinksOf = (call: Call, identity: () => Identity, sleep: Sleep) => {
  const status = (linkId: string, options?: CallOptions): Promise<LinkState> =>
    call('getIdentityLink', { params: { link_id: linkId }, ...options })
  return {
    /** Starts a link: have the person open `link_url` in their browser, and nobody else. */
    start: (options?: CallOptions) => call('startIdentityLink', { params: { id: identity().agentId }, ...options }),
    status,
    /** Waits until the person has decided, or the link has expired. */
    async wait(linkId: string, options?: CallOptions): Promise<LinkState> {
      for (;;) {
        const state = await status(linkId, options)
        if (state.status !== 'pending') return state
        await sleep(LOOK_EVERY_MS, options?.signal)
      }
    },
    /** The person linked to an agent, by default the client's own; null when there is none. */
    get: async (agent?: string, options?: CallOptions) =>
      (await call('getIdentity', { params: { id: agent ?? identity().agentId }, ...options })).agentid,
    /** False when the agent was not linked to anybody. */
    remove: async (options?: CallOptions) =>
      (await call('unlinkIdentity', { params: { id: identity().agentId }, ...options })).unlinked,
  }
}

import type { Body, Call, CallOptions, Query } from './call-types.ts'
import type { Identity } from './identity.ts'
import { type Profile, type RegisterOptions, registerAgent } from './register-agent.ts'
import type { ServerClock } from './server-clock.ts'
import { type PeerAssignment, type PeerFindings, verifyPeer } from './verify-peer.ts'

/** Identities, and what is said of them. */
export const agentsOf = (call: Call, identity: () => Identity, clock: ServerClock) => ({
  /** Asks for a challenge, does its work, signs it, and registers the client's key under this profile. */
  register: (profile: Profile, options?: RegisterOptions) => registerAgent(call, identity(), profile, options),
  get: (idOrName: string, options?: CallOptions) => call('getAgent', { params: { id: idOrName }, ...options }),
  me: (options?: CallOptions) => call('getAgent', { params: { id: identity().agentId }, ...options }),
  /** Changes the client's own profile; what is left out stays as it is, and null takes away. */
  update: (changes: Body<'updateAgent'>, options?: CallOptions) =>
    call('updateAgent', { params: { id: identity().agentId }, body: changes, ...options }),
  /** One page of the agents that fit, by reputation unless another order is asked for. */
  search: (query?: Query<'searchAgents'>, options?: CallOptions) => call('searchAgents', { query, ...options }),
  reputation: (idOrName?: string, options?: CallOptions) =>
    call('getReputation', { params: { id: idOrName ?? identity().agentId }, ...options }),
  /** Verifies the peer that chance chooses: `judge` says how it did, and the report is signed and handed in. */
  verify: (judge: (assignment: PeerAssignment) => PeerFindings | Promise<PeerFindings>, options?: CallOptions) =>
    verifyPeer({ call, identity, clock }, judge, options),
  /** Links the client's agent to the owner who was shown this code in the console. */
  linkOwner: (code: string, options?: CallOptions) =>
    call('linkToOwner', { params: { id: identity().agentId }, body: { code }, ...options }),
  /** Ends the link to the owner, if there is one. */
  unlinkOwner: (options?: CallOptions) => call('unlinkFromOwner', { params: { id: identity().agentId }, ...options }),
  claimBudget: (options?: CallOptions) => call('getClaimBudget', options),
})

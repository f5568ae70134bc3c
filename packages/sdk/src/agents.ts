import type { Body, Call, CallOptions, Query } from './call-types.ts'
import type { Identity } from './identity.ts'
import { type Profile, type RegisterOptions, registerAgent } from './register-agent.ts'
import type { ServerClock } from './server-clock.ts'
import { type PeerAssignment, type PeerFindings, verifyPeer } from './verify-peer.ts'

/** Agents, their profiles and reputations. */
export const agentsOf = (call: Call, identity: () => Identity, clock: ServerClock) => ({
  /** Asks for a challenge, does its proof of work, signs it, and registers the client's key with this profile. */
  register: (profile: Profile, options?: RegisterOptions) => registerAgent(call, identity(), profile, options),
  get: (idOrName: string, options?: CallOptions) => call('getAgent', { params: { id: idOrName }, ...options }),
  me: (options?: CallOptions) => call('getAgent', { params: { id: identity().agentId }, ...options }),
  /** Changes the client's own profile; omitted fields stay as they are, and null clears a field. */
  update: (changes: Body<'updateAgent'>, options?: CallOptions) =>
    call('updateAgent', { params: { id: identity().agentId }, body: changes, ...options }),
  /** One page of matching agents, by reputation unless another order is given. */
  search: (query?: Query<'searchAgents'>, options?: CallOptions) => call('searchAgents', { query, ...options }),
  reputation: (idOrName?: string, options?: CallOptions) =>
    call('getReputation', { params: { id: idOrName ?? identity().agentId }, ...options }),
  /** Verifies a randomly assigned peer: `judge` returns the findings, and the report is signed and submitted. */
  verify: (judge: (assignment: PeerAssignment) => PeerFindings | Promise<PeerFindings>, options?: CallOptions) =>
    verifyPeer({ call, identity, clock }, judge, options),
  /** Links the client's agent to the owner who was shown this code in the console. */
  linkOwner: (code: string, options?: CallOptions) =>
    call('linkToOwner', { params: { id: identity().agentId }, body: { code }, ...options }),
  /** Ends the link to the owner, if there is one. */
  unlinkOwner: (options?: CallOptions) => call('unlinkFromOwner', { params: { id: identity().agentId }, ...options }),
  claimBudget: (options?: CallOptions) => call('getClaimBudget', options),
})

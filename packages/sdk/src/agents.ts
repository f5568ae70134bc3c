import type { Call, CallOptions } from './call-types.ts'
import type { Identity } from './identity.ts'
import { type Profile, type RegisterOptions, registerAgent } from './register-agent.ts'

/** Identities. */
export const agentsOf = (call: Call, identity: () => Identity) => ({
  /** Asks for a challenge, does its work, signs it, and registers the client's key under this profile. */
  register: (profile: Profile, options?: RegisterOptions) => registerAgent(call, identity(), profile, options),
  get: (idOrName: string, options?: CallOptions) => call('getAgent', { params: { id: idOrName }, ...options }),
  me: (options?: CallOptions) => call('getAgent', { params: { id: identity().agentId }, ...options }),
  claimBudget: (options?: CallOptions) => call('getClaimBudget', options),
})

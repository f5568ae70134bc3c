import { agentIdOf } from '@guildhall/protocol'
import { type Agent, NO_TRACK, type Profile } from '../../domain/agent/agent.ts'
import type { World } from '../../ports/world.ts'

/** An agent as it is first stored. */
export function newAgent(world: World, publicKey: string, profile: Profile, house = false): Agent {
  return {
    id: agentIdOf(publicKey),
    publicKey,
    status: house || world.rules.activation === 'registered' ? 'active' : 'pending',
    profile,
    wallet: null,
    registeredAt: world.clock.now(),
    lastSeenAt: null,
    house,
    bondBalance: 0n,
    bondNetwork: null,
    track: NO_TRACK,
  }
}

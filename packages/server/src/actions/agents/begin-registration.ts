import { agentIdOf, limits, NO_PREVIOUS_HASH } from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import type { Challenge } from '../../ports/agent-store.ts'
import type { World } from '../../ports/world.ts'
import { usableKey } from './usable-key.ts'

/**
 * A challenge for a key that is not registered yet; earlier challenges of the key end. No Idempotency-Key is marked: a challenge
 * whose answer was lost cannot be looked up, so a repeat gets a new one.
 */
export async function beginRegistration(
  world: World,
  publicKey: string,
): Promise<{ challenge: Challenge; previousHash: string }> {
  usableKey(publicKey)
  if (await world.store.agent(agentIdOf(publicKey)))
    refuse('conflict', {}, 'An agent is registered with this key already.')
  const challenge: Challenge = {
    id: world.random.uuid(),
    publicKey,
    text: Buffer.from(world.random.bytes(32)).toString('base64'),
    difficulty: world.rules.registrationDifficulty,
    expiresAt: world.clock.now() + limits.registration.challengeLifeMs,
  }
  await world.store.transaction((tx) => tx.saveChallenge(challenge))
  const head = await world.store.ledgerHead()
  return { challenge, previousHash: head?.entryHash ?? NO_PREVIOUS_HASH }
}

import {
  agentIdOf,
  limits,
  NAME_PROBLEMS,
  normalizeAgentName,
  parsePublicKey,
  provesWork,
  verifyText,
} from '@guildhall/protocol'
import { type Agent, NO_TRACK, type Profile } from '../../domain/agent/agent.ts'
import type { HeldKey } from '../../domain/idempotency/held-key.ts'
import { registrationHash } from '../../domain/ledger/documents.ts'
import type { Seal } from '../../domain/ledger/ledger.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Challenge } from '../../ports/agent-store.ts'
import type { World } from '../../ports/world.ts'
import { appendEntry } from '../append-entry.ts'
import { useKey } from '../hold-key.ts'
import { changeOf } from '../signed-change.ts'

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
  return { challenge, previousHash: head?.entryHash ?? '0'.repeat(64) }
}

export type Registration = {
  readonly challengeId: string
  readonly publicKey: string
  readonly nonce: string
  readonly signature: string
  readonly profile: Profile
}

export type Registered = { readonly agent: Agent; readonly seal: Seal | null }

/** Proof, signature and profile are checked before the challenge is used up: a mistake can be corrected and sent again. */
export async function completeRegistration(
  world: World,
  request: Registration,
  held: HeldKey | null,
): Promise<Registered> {
  const key = usableKey(request.publicKey)
  const { name, nameKey } = usableName(request.profile.name)
  const { agent, pending } = await changeOf(world, async (tx) => {
    await useKey(tx, held)
    const challenge = await tx.takeChallenge(request.challengeId)
    const usable = challenge?.publicKey === request.publicKey && challenge.expiresAt > world.clock.now()
    if (!challenge || !usable) refuse('invalid_challenge')
    if (!provesWork(key, request.nonce, challenge.difficulty)) refuse('invalid_proof')
    if (!verifyText(key, challenge.text, request.signature)) {
      refuse(
        'invalid_signature',
        {},
        'The signature is not the key’s over the challenge text as it stands (UTF-8, not decoded).',
      )
    }
    const agent = newAgent(world, request.publicKey, { ...request.profile, name })
    refuseNameOfService(world, nameKey)
    const inserted = await tx.insertAgent(agent, nameKey)
    if (inserted === 'id_taken') refuse('conflict', {}, 'An agent is registered with this key already.')
    if (inserted === 'name_taken') refuse('name_taken')
    return {
      agent,
      pending: await appendEntry(world, tx, { type: 'registration', agent, profileHash: registrationHash(agent) }),
    }
  })
  return { agent, seal: await world.ledger.sealed(pending) }
}

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

function usableKey(publicKey: string): Uint8Array {
  const key = parsePublicKey(publicKey)
  if (key) return key
  const message = 'An Ed25519 public key is needed: 32 bytes in base58, on the curve and not of small order.'
  return refuse('bad_request', { issues: [{ path: 'public_key', message }] }, message)
}

/** An agent by this name would speak to people and agents as if it were the service. */
export function refuseNameOfService({ rules }: World, nameKey: string): void {
  const own = normalizeAgentName(rules.serviceName)
  if ('key' in own && own.key === nameKey) refuse('name_taken', {}, 'The service itself goes by this name.')
}

export function usableName(text: string, path = 'profile.name'): { name: string; nameKey: string } {
  const judged = normalizeAgentName(text)
  if ('name' in judged) return { name: judged.name, nameKey: judged.key }
  const message = NAME_PROBLEMS[judged.problem]
  return refuse('bad_request', { issues: [{ path, message }] }, message)
}

import { provesWork, verifyText } from '@guildhall/protocol'
import type { Agent, Profile } from '../../domain/agent/agent.ts'
import type { HeldKey } from '../../domain/idempotency/held-key.ts'
import { registrationHash } from '../../domain/ledger/documents.ts'
import type { Seal } from '../../domain/ledger/ledger.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { appendEntry } from '../append-entry.ts'
import { useKey } from '../hold-key.ts'
import { changeOf } from '../signed-change.ts'
import { newAgent } from './new-agent.ts'
import { usableKey } from './usable-key.ts'
import { refuseNameOfService, usableName } from './usable-name.ts'

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

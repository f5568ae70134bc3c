import { encodePublicKey, normalizeAgentName } from '@guildhall/protocol'
import type { Profile } from '../../domain/agent/agent.ts'
import { genesisHash, registrationHash } from '../../domain/ledger/documents.ts'
import type { World } from '../../ports/world.ts'
import { appendEntry } from '../append-entry.ts'
import { newId } from '../new-id.ts'
import { newAgent } from './new-agent.ts'

type Keys = { readonly registry: Uint8Array; readonly house: Uint8Array }

/** The first two entries of the ledger, once: genesis with the registry's public key, and the house agent. */
export async function foundRegistry(world: World, publicKeys: Keys): Promise<void> {
  const house = newAgent(world, encodePublicKey(publicKeys.house), houseProfile(world), true)
  const founded = await world.store.transaction(async (tx) => {
    const judged = normalizeAgentName(house.profile.name)
    if (!('key' in judged)) throw new Error(`The service name makes no agent name: ${house.profile.name}`)
    if ((await tx.insertAgent(house, judged.key)) !== 'inserted') return false
    const registryKey = encodePublicKey(publicKeys.registry)
    await tx.appendPending({
      id: newId(world, 'led'),
      type: 'genesis',
      agentId: null,
      agentName: null,
      publicKey: registryKey,
      profileHash: genesisHash(registryKey, world.rules.serviceName),
      receiptId: null,
    })
    await appendEntry(world, tx, { type: 'registration', agent: house, profileHash: registrationHash(house) })
    return true
  })
  if (founded) await world.ledger.sealPending()
}

const houseProfile = (world: World): Profile => ({
  name: `${world.rules.serviceName} House`,
  description: `The house agent of ${world.rules.serviceName}.`,
  capabilities: ['house'],
  protocols: [],
  homepage: world.rules.baseUrl,
  contactEndpoint: null,
  organization: world.rules.serviceName,
  tags: [],
  version: null,
  webhookUrl: null,
  skills: [],
})

import { encodePublicKey } from '@guildhall/protocol'
import {
  appendEntry,
  foundRegistry,
  type Hex,
  newAgent,
  newReputation,
  registrationHash,
  type World,
} from '@guildhall/server/parts'
import type { Day } from '../day.ts'

/** An agent that posts and works, with wallets of its own. */
export type Person = {
  readonly id: string
  readonly name: string
  readonly wallet: Hex
  /** Another one of its own, which it may prove instead. */
  readonly otherWallet: Hex
  readonly publicKey: string
}

export type Cast = { readonly agents: readonly [Person, ...Person[]]; readonly buyers: readonly [Hex, ...Hex[]] }

export const STRANGER: Hex = '0x0000000000000000000000000000000000057a46'

const NAMES = ['ada', 'ben', 'cyd'] as const
const RICH = 60_000_000n

const walletOf = (letter: string): Hex => `0x${letter.repeat(40)}`
const keyOf = (index: number): string =>
  encodePublicKey(REGISTRY_KEY.map((byte, place) => (place === 31 ? byte : byte ^ index)))

/** A point on the curve, since the ledger's genesis must name one. */
const REGISTRY_KEY = Uint8Array.from(
  Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex'),
)

/** Founds the registry and registers everybody, before any fault occurs. */
export async function enrol(day: Day, world: World): Promise<Cast> {
  await foundRegistry(world, { registry: REGISTRY_KEY, house: REGISTRY_KEY })
  const agents: Person[] = []
  for (const [index, name] of NAMES.entries()) {
    const publicKey = keyOf(index + 1)
    const wallet = walletOf(String(index + 1))
    const profile = { ...BLANK, name, capabilities: index < 2 ? ['words'] : [] }
    const fresh = { ...newAgent(world, publicKey, profile), wallet: walletProof(world, wallet) }
    await world.store.transaction(async (tx) => {
      await tx.insertAgent(fresh, name)
      await appendEntry(world, tx, { type: 'registration', agent: fresh, profileHash: registrationHash(fresh) })
    })
    agents.push({ id: fresh.id, name, wallet, otherWallet: walletOf(String(index + 4)), publicKey })
  }
  for (const { id } of day.database.tables.agents.values()) {
    day.database.tables.reputations.set(id, newReputation(id, world.clock.now()))
  }
  const buyers: readonly [Hex, ...Hex[]] = [walletOf('8'), walletOf('9')]
  for (const chain of day.chains.values()) {
    const wallets = agents.flatMap(({ wallet, otherWallet }) => [wallet, otherWallet])
    for (const wallet of [...wallets, ...buyers]) chain.mint(wallet, RICH)
    chain.mint(STRANGER, RICH)
  }
  await world.ledger.sealPending()
  const [first, ...others] = agents
  if (!first) throw new Error('nobody was enrolled')
  return { agents: [first, ...others], buyers }
}

const walletProof = (world: World, address: Hex) => ({
  address,
  network: world.rules.networks[0]?.network ?? '',
  kind: 'plain' as const,
  verifiedAt: world.clock.now(),
  proof: { message: '', signature: '0x' },
})

const BLANK = {
  description: '',
  protocols: [],
  homepage: null,
  contactEndpoint: null,
  organization: null,
  tags: [],
  version: null,
  webhookUrl: null,
  skills: [],
}

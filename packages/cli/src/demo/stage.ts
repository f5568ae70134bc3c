import { BASE } from '@guildhall/protocol'
import { createGuildhall } from '@guildhall/sdk'
import { type Address, createPublicClient, http, type PublicClient } from 'viem'
import { PlainError } from '../plain-error.ts'
import type { Narrator } from './narrator.ts'

/** Where the story plays. */
export type Stage = {
  readonly url: string
  readonly narrator: Narrator
  readonly network: typeof NETWORK
  /** The chain itself, read directly and not through the service. */
  readonly chain: PublicClient
  readonly usdc: Address
  readonly escrow: Address
  /** How far the sandbox's clock is ahead of this machine's. */
  readonly clockOffsetMs: number
}

const NETWORK = BASE.id as 'eip155:8453'
const NOT_MOVED_MS = 5_000

export async function openStage(url: string, narrator: Narrator): Promise<Stage> {
  const { now, networks } = await createGuildhall({ baseUrl: url }).sandbox.info()
  const place = networks.find(({ network }) => network === NETWORK)
  if (!place) throw new PlainError(`The sandbox at ${url} has no chain ${NETWORK}.`)
  if (place.escrow_wallet === null)
    throw new PlainError(`The sandbox at ${url} has no escrow, which the demo pays into.`)
  const ahead = Date.parse(now) - Date.now()
  return {
    url,
    narrator,
    network: NETWORK,
    chain: createPublicClient({ transport: http(place.rpc_url) }),
    usdc: place.usdc as Address,
    escrow: place.escrow_wallet as Address,
    clockOffsetMs: Math.abs(ahead) < NOT_MOVED_MS ? 0 : ahead,
  }
}

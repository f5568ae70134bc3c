import { formatUsdc } from '@guildhall/protocol'
import type { Address } from 'viem'
import { balanceOf } from '../chains/balance-of.ts'
import type { Chain } from '../chains/start-chain.ts'
import type { Fault } from '../facilitator/fault.ts'
import type { Facilitator } from '../facilitator/start-facilitator.ts'
import type { IdentityProvider } from '../identity/start-identity-provider.ts'
import type { MovedClock } from './moved-clock.ts'

export type Faults = { readonly facilitator: string | null; readonly rpc: string | null; readonly times: number | null }

/** Controls the sandbox's clock, faucet and faults. */
export type Control = {
  places(): unknown
  offsetMs(): number
  advance(seconds: number): Promise<number>
  onMove(listener: (offsetMs: number) => void): () => void
  mint(network: string, address: Address, atomic: bigint): Promise<{ txHash: string; balanceUsdc: string }>
  setFaults(faults: Faults): Promise<{ facilitator: string; rpc: string }>
}

export function createControl(parts: {
  readonly chains: readonly Chain[]
  readonly facilitator: Facilitator
  readonly identity: IdentityProvider
  readonly clock: MovedClock
  readonly mailUrl: string
}): Control {
  const { chains, facilitator, identity, clock, mailUrl } = parts
  const listeners = new Set<(offsetMs: number) => void>()
  let moving: Promise<unknown> = Promise.resolve()

  /** One move at a time; chains, facilitator and OpenID provider have followed before listeners are told. */
  const advance = (seconds: number): Promise<number> => {
    const move = moving.then(async () => {
      const offsetMs = await clock.advance(seconds)
      await Promise.all([facilitator.setClockOffset(offsetMs), identity.setClockOffset(offsetMs)])
      await Promise.all(chains.map((chain) => chain.followClock()))
      for (const listener of listeners) listener(offsetMs)
      return offsetMs
    })
    moving = move.catch(() => {})
    return move
  }

  return {
    places: () => ({
      networks: chains.map(({ network, rpcUrl, usdc }) => ({ network, rpcUrl, usdc })),
      facilitatorUrl: facilitator.url,
      mailUrl,
      identityUrl: identity.place.issuer,
    }),
    offsetMs: clock.offsetMs,
    advance,
    onMove(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async mint(network, address, atomic) {
      const chain = chains.find((candidate) => candidate.network === network)
      if (!chain) throw new Error(`There is no chain ${network} here.`)
      const { txHash } = await chain.mint(address, atomic)
      return { txHash, balanceUsdc: formatUsdc(await balanceOf(chain, address)) }
    },
    async setFaults({ facilitator: fault, rpc, times }) {
      if (fault !== null) await facilitator.failWith(fault as Fault, times ?? undefined)
      if (rpc !== null) for (const chain of chains) chain.failWith(rpc as 'ok' | 'down', times ?? undefined)
      return { facilitator: facilitator.fault(), rpc: chains.some((chain) => chain.fault() === 'down') ? 'down' : 'ok' }
    },
  }
}

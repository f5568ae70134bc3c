import { networkById } from '@guildhall/protocol'
import type { PayNetwork } from '@guildhall/web'
import type { SandboxPlaces } from '../../ports/sandbox-control.ts'
import type { World } from '../../ports/world.ts'

/** RPC URLs for wallets that do not know a network. The service's own stay private: they may be paid ones. */
const PUBLIC_RPC: Readonly<Record<string, string>> = {
  'eip155:8453': 'https://mainnet.base.org',
  'eip155:137': 'https://polygon-rpc.com',
}
const CURRENCIES: Readonly<Record<string, string>> = { 'eip155:137': 'POL', 'eip155:5042': 'USDC' }

/** The networks on which an owner can pay; in the sandbox its own chains stand in for them. */
export function payNetworks({ rules }: World, chains: SandboxPlaces['networks'] | null): readonly PayNetwork[] {
  if (!rules.paymentsEnabled) return []
  return rules.networks.map(({ network }) => {
    const known = networkById(network)
    return {
      network,
      name: known?.name ?? network,
      escrowOnly: known?.escrowOnly ?? false,
      rpcUrl: rpcOf(network, chains),
      currency: CURRENCIES[network] ?? 'ETH',
    }
  })
}

const rpcOf = (network: string, chains: SandboxPlaces['networks'] | null): string | null =>
  chains === null ? (PUBLIC_RPC[network] ?? null) : (chains.find((chain) => chain.network === network)?.rpcUrl ?? null)

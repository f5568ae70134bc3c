/** Facts about the networks that the specification names. */
export type NetworkId = `eip155:${number}`

export type Network = {
  readonly id: NetworkId
  readonly chainId: number
  readonly name: string
  /** A bounty may be paid here in production. */
  readonly bounties: boolean
  /** Bounties here are always held in escrow. */
  readonly escrowOnly: boolean
  readonly testnet: boolean
  readonly explorer: string
}

const network = (chainId: number, name: string, explorer: string, traits: Partial<Network> = {}): Network => ({
  id: `eip155:${chainId}`,
  chainId,
  name,
  bounties: false,
  escrowOnly: false,
  testnet: false,
  explorer,
  ...traits,
})

export const BASE = network(8453, 'Base', 'https://basescan.org', { bounties: true })
export const POLYGON = network(137, 'Polygon', 'https://polygonscan.com', { bounties: true })
export const THIRD_MAINNET = network(5042, 'Arc', 'https://arcscan.app', { bounties: true, escrowOnly: true })

export const networks: readonly Network[] = [
  BASE,
  POLYGON,
  THIRD_MAINNET,
  network(84532, 'Base Sepolia', 'https://sepolia.basescan.org', { testnet: true }),
  network(1, 'Ethereum', 'https://etherscan.io'),
  network(42161, 'Arbitrum One', 'https://arbiscan.io'),
  network(10, 'OP Mainnet', 'https://optimistic.etherscan.io'),
]

const testnetIds: ReadonlySet<string> = new Set([
  ...[84532, 80002, 80001, 11155111, 5, 421614, 11155420, 5042002, 31337].map((chainId) => `eip155:${chainId}`),
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
])

/** The CAIP-2 form of a network id; most such networks are not served here. */
export const NETWORK_ID = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

export const networkById = (id: string): Network | undefined => networks.find((known) => known.id === id)

export const isTestnet = (id: string): boolean => testnetIds.has(id)

export const chainIdOf = (id: NetworkId): number => Number(id.slice('eip155:'.length))

export const SOLANA_ID = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

/** The values that `wallet_network` may take (specification 4.3). */
export const WALLET_NETWORKS = [
  'eip155:8453',
  'eip155:84532',
  'eip155:1',
  'eip155:137',
  'eip155:5042',
  'eip155:42161',
  'eip155:10',
  SOLANA_ID,
] as const

/** Where a payout wallet can be proven: not on Solana yet, and on no testnet. */
export const takesWalletProofs = (id: string): boolean => id !== SOLANA_ID && !isTestnet(id)

export const transactionUrl = (networkId: string, hash: string): string | null => {
  const known = networkById(networkId)
  return known ? `${known.explorer}/tx/${hash}` : null
}

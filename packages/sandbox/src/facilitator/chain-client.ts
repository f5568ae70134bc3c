import { createWalletClient, defineChain, http, type PrivateKeyAccount, publicActions } from 'viem'

/** The gas wallet's connection to one network. */
export type ChainClient = ReturnType<typeof connectChain>

export function connectChain(network: string, rpcUrl: string, account: PrivateKeyAccount) {
  const chain = defineChain({
    id: Number(network.split(':')[1]),
    name: network,
    nativeCurrency: { name: 'Gas', symbol: 'GAS', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl, { retryCount: 1, retryDelay: 50, timeout: 5_000 })
  return createWalletClient({ account, chain, transport, pollingInterval: 50 }).extend(publicActions)
}

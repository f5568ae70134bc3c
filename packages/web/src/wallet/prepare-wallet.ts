import { type ChainInfo, chainIdOf, type Terms } from './terms.ts'
import type { Provider } from './wallets.ts'

const UNKNOWN_CHAIN = 4902

/** Asks the wallet for an account and brings it to the network of the terms; wallets sign for no other. */
export async function prepareWallet(provider: Provider, terms: Terms, chain: ChainInfo | null): Promise<string> {
  const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as readonly string[]
  if (!account) throw new Error('The wallet gave no account.')
  const chainId = `0x${chainIdOf(terms).toString(16)}`
  const current = await provider.request({ method: 'eth_chainId' })
  if (current !== chainId) await switchTo(provider, chainId, chain)
  return account
}

async function switchTo(provider: Provider, chainId: string, chain: ChainInfo | null): Promise<void> {
  const change = () => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  try {
    await change()
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_CHAIN || !chain?.rpcUrl) throw error
    const nativeCurrency = { name: chain.currency, symbol: chain.currency, decimals: 18 }
    const added = { chainId, chainName: chain.name, rpcUrls: [chain.rpcUrl], nativeCurrency }
    await provider.request({ method: 'wallet_addEthereumChain', params: [added] })
    await change()
  }
}

/** Some wallets wrap the original error. */
export const codeOf = (error: unknown): number | undefined => {
  const { code, data } = (error ?? {}) as {
    readonly code?: number
    readonly data?: { readonly originalError?: { readonly code?: number } }
  }
  return data?.originalError?.code ?? code
}

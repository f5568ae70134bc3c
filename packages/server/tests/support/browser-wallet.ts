import type { BrowserContext } from 'playwright-core'
import type { PrivateKeyAccount } from 'viem/accounts'

type Wallet = {
  /** How the wallet makes itself known to a page. */
  readonly known?: 'announced' | 'injected'
  /** The person behind it says no. */
  readonly declines?: boolean
}

/** What a wallet was asked, in order: the names of the methods. */
export type Asked = readonly string[]

type TypedData = {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, string>>
}

/** A wallet extension in every page of a browser, which signs with a key of ours and knows no chain but Ethereum at first. */
export async function giveWallet(
  context: BrowserContext,
  account: PrivateKeyAccount,
  { known = 'announced', declines = false }: Wallet = {},
): Promise<Asked> {
  const asked: string[] = []
  await context.exposeFunction('noteAsked', (method: string) => void asked.push(method))
  await context.exposeFunction('signTyped', (text: string) => sign(account, JSON.parse(text)))
  await context.addInitScript(installWallet, { address: account.address, known, declines })
  return asked
}

/** Numbers come as text; the key wants them as numbers. */
function sign(account: PrivateKeyAccount, { domain, types, primaryType, message }: TypedData): Promise<string> {
  const numbers = new Set(types[primaryType]?.filter(({ type }) => type === 'uint256').map(({ name }) => name))
  const entries = Object.entries(message).map(([name, value]) => [name, numbers.has(name) ? BigInt(value) : value])
  return account.signTypedData({ domain, types, primaryType, message: Object.fromEntries(entries) })
}

type Page = Window & {
  noteAsked(method: string): Promise<void>
  signTyped(text: string): Promise<string>
  ethereum?: unknown
}

/** Runs in the page, before anything of the page's own. */
function installWallet({ address, known, declines }: { address: string } & Required<Wallet>): void {
  const page = window as unknown as Page
  const chains = new Set(['0x1'])
  let current = '0x1'
  const fail = (code: number, message: string) => Promise.reject(Object.assign(new Error(message), { code }))
  const provider = {
    async request({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<unknown> {
      await page.noteAsked(method)
      const [first, second] = params as readonly [{ chainId: string }, string]
      if (method === 'eth_requestAccounts') return [address]
      if (method === 'eth_chainId') return current
      if (method === 'wallet_addEthereumChain') return void chains.add(first.chainId)
      if (method === 'wallet_switchEthereumChain') {
        if (!chains.has(first.chainId)) return fail(4902, 'Unrecognized chain ID.')
        current = first.chainId
        return null
      }
      if (method !== 'eth_signTypedData_v4') return fail(4200, `The wallet does not know ${method}.`)
      if (JSON.parse(second).domain.chainId !== Number(current)) return fail(-32603, 'Wrong chain.')
      return declines ? fail(4001, 'User rejected the request.') : page.signTyped(second)
    },
  }
  if (known === 'injected') {
    page.ethereum = provider
    return
  }
  const info = { uuid: 'a3b1d1f0-0000-4000-8000-000000000001', name: 'Test wallet', icon: 'data:,', rdns: 'test' }
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: Object.freeze(info), provider }) }),
    )
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

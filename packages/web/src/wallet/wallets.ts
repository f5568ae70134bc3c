/** What a wallet offers to a page (EIP-1193). */
export type Provider = {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
}

export type Wallet = { readonly id: string; readonly name: string; readonly provider: Provider }

type Announcement = CustomEvent<{
  readonly info: { readonly uuid: string; readonly name: string }
  readonly provider: Provider
}>

const found = new Map<string, Wallet>()

/** Wallets announce themselves when asked, and whenever they are ready (EIP-6963). */
export function watchForWallets(): void {
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as Announcement).detail
    found.set(info.uuid, { id: info.uuid, name: info.name, provider })
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
}

/** The wallets that have announced themselves; without any, the one that older wallets inject into the page. */
export function knownWallets(): readonly Wallet[] {
  if (found.size > 0) return [...found.values()]
  const { ethereum } = window as { readonly ethereum?: Provider }
  return ethereum ? [{ id: 'injected', name: 'Browser wallet', provider: ethereum }] : []
}

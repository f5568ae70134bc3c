import { type Html, html } from '../html.ts'
import type { PayNetwork, Visitor } from './views.ts'

/** What the wallet script reads from a form that needs a payment. */
export type PaymentData = {
  readonly kind: 'post' | 'accept' | 'fund'
  readonly api: string
  readonly payee: string
  readonly networks: readonly PayNetwork[]
  /** Known beforehand, unless the form itself asks for it. */
  readonly price?: { readonly amount: string; readonly network: string } | undefined
}

export function paymentAttributes({ email, now }: Visitor, { kind, api, payee, networks, price }: PaymentData): Html {
  const chains = networks.map(({ network, name, rpcUrl, currency }) => ({ network, name, rpcUrl, currency }))
  const fixed = price && html` data-amount="${price.amount}" data-network="${price.network}"`
  return html` data-pay="${kind}" data-api="${api}" data-payee="${payee}" data-person="${email}" data-now="${now}" data-chains="${JSON.stringify(chains)}"${fixed}`
}

/** Where the script shows what is to be paid. */
export const paymentPanel: Html = html`<div class="pay-panel" data-pay-panel></div>
<noscript><p class="note">Paying from a browser wallet needs JavaScript on this page.</p></noscript>`

import { networkById, transactionUrl } from '@guildhall/protocol'
import { type Html, html } from '../html.ts'
import type { OwnerTaskView } from './views.ts'

type Words = Readonly<Record<string, string>>
/** Where the money is, by the status of the escrow, or of the payment if there is no escrow. */
export type MoneyWords = {
  readonly escrow: Words
  readonly declared: Words
  /** The work is accepted, and nobody has signed a payment yet. */
  readonly due: string
}

type Money = Pick<OwnerTaskView, 'task' | 'payment'>

/** Where the money is, with every transaction that moved it. No block explorer knows the chains of a sandbox. */
export function moneyView(shown: Money, words: MoneyWords, sandbox: boolean): Html {
  const { task, payment } = shown
  const { bounty, escrow } = task
  if (bounty === null) return html`<section class="card side"><h2>Money</h2><p>This task is free.</p></section>`
  const network = networkById(bounty.network)?.name ?? bounty.network
  const transaction = (hash: string) => (sandbox ? html`<code>${hash}</code>` : explored(bounty.network, hash))
  const transactions = [
    ['Deposit', escrow?.deposit_tx_hash],
    ['Paid to the agent', escrow ? escrow.release_tx_hash : task.payment_tx_hash],
    ['Refund', escrow?.refund_tx_hash],
  ] as const
  return html`<section class="card side"><h2>Money</h2>
<dl>
<div><dt>Bounty</dt><dd><strong>${bounty.amount_display} USDC</strong> on ${network}</dd></div>
<div><dt>Where it is</dt><dd>${placeOf(shown, words)}</dd></div>
${payment.payer !== null && html`<div><dt>Paid by</dt><dd><code>${payment.payer}</code></dd></div>`}
${payment.pay_to !== null && html`<div><dt>Paid to</dt><dd><code>${payment.pay_to}</code></dd></div>`}
${transactions.map(([name, hash]) => hash && html`<div><dt>${name}</dt><dd>${transaction(hash)}</dd></div>`)}
${payment.last_error !== null && html`<div><dt>Last problem</dt><dd>${payment.last_error}</dd></div>`}
</dl></section>`
}

function placeOf({ task: { escrow }, payment }: Money, words: MoneyWords): string {
  if (escrow !== null) return words.escrow[escrow.status] ?? escrow.status
  if (payment.payment_due && payment.status === 'pending') return words.due
  return words.declared[payment.status] ?? payment.status
}

function explored(network: string, hash: string): Html {
  const address = transactionUrl(network, hash)
  const short = html`<code>${hash.slice(0, 10)}…${hash.slice(-6)}</code>`
  return address === null
    ? short
    : html`<a href="${address}" rel="noopener noreferrer" target="_blank">${short}<span class="unseen"> in the block explorer</span></a>`
}

/** Without escrow, nobody holds the bounty before it is paid. */
const DECLARED: Words = {
  authorized: 'signed, on its way to the agent',
  settling: 'on its way to the agent',
  settled: 'paid to the agent',
  // Temporary: the signed payment is sent again until it arrives or can no longer.
  failed: 'signed, on its way to the agent: the last attempt failed, and it is tried again',
  expired: 'not paid',
}
const ESCROW: Words = {
  unfunded: 'not paid: the deposit failed',
  funding: 'the deposit is on its way',
  funded: 'in escrow',
  releasing: 'on its way to the agent',
  released: 'released to the agent',
}

/** For the person who posted the task. */
export const moneyOfPoster: MoneyWords = {
  declared: { ...DECLARED, pending: 'with you: you pay the agent when you accept' },
  escrow: { ...ESCROW, refunding: 'on its way back to you', refunded: 'returned to you' },
  due: 'with you: its payment is due',
}

/** For everybody. */
export const moneyInPublic: MoneyWords = {
  declared: { ...DECLARED, pending: 'with the poster, who pays when accepting' },
  escrow: { ...ESCROW, refunding: 'on its way back to the poster', refunded: 'returned to the poster' },
  due: 'with the poster: its payment is due',
}

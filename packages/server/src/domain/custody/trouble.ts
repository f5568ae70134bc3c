import { formatUsdc } from '@guildhall/protocol'
import type { Movement } from './movement.ts'

/** A custody problem of a network: the alarm, the text for people, and whether payouts must stop. */
export type Trouble = { readonly alarm: string; readonly text: string; readonly stopsPayouts: boolean }

type Findings = {
  readonly network: string
  /** What the chain holds beyond what the books explain. */
  readonly difference: bigint
  /** What the house has in the wallet, or owes to it. */
  readonly house: bigint
  /** What the chain holds beyond what its own logs explain. */
  readonly unexplained: bigint
  /** Incoming money whose outcome is not known yet. */
  readonly underWay: bigint
  /** Money that left without a payout on record. */
  readonly strangeOutflows: readonly Movement[]
}

/** The worst finding; null when everything is explained to the unit, or will be by transfers in flight. */
export function troubleOf({
  network,
  difference,
  house,
  unexplained,
  underWay,
  strangeOutflows,
}: Findings): Trouble | null {
  const wallet = `the escrow wallet on ${network}`
  const [outflow] = strangeOutflows
  if (outflow) {
    const { amount, counterparty, txHash } = outflow
    const text = `${formatUsdc(amount)} USDC left ${wallet} for ${counterparty} without a payout on record, in ${txHash}`
    return { alarm: 'money left the escrow wallet without a payout', text, stopsPayouts: true }
  }
  if (difference < 0n) {
    const text = `${wallet} holds ${formatUsdc(-difference)} USDC less than the books say`
    return { alarm: 'money is missing from the escrow wallet', text, stopsPayouts: true }
  }
  if (house < 0n) {
    const text = `${wallet} holds ${formatUsdc(-house)} USDC less than it owes: the chain took a bond back that had left it`
    return { alarm: 'the house stands in for what the escrow wallet owes', text, stopsPayouts: false }
  }
  if (unexplained !== 0n) {
    const [amount, than] = unexplained > 0n ? [unexplained, 'more'] : [-unexplained, 'less']
    const text = `${wallet} holds ${formatUsdc(amount)} USDC ${than} than the logs of the chain explain`
    return { alarm: 'the logs of the chain do not explain the escrow wallet', text, stopsPayouts: false }
  }
  if (difference > underWay) {
    const text = `${wallet} holds ${formatUsdc(difference)} USDC more than the books say`
    return { alarm: 'there is more in the escrow wallet than in the books', text, stopsPayouts: false }
  }
  return null
}

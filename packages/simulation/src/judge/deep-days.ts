import type { ChainView, Violation } from '@guildhall/oracle'
import { isPayout, type Transfer } from '@guildhall/server/parts'
import type { Day } from '../day.ts'
import { houseOf } from '../store/custody-position.ts'
import { COMMITTED } from '../store/overlay.ts'
import type { MovementRow, Tables } from '../store/tables.ts'

/**
 * What cannot hold after a chain took back what it had called final, and nothing else:
 * - a deposit that was paid out and can never come again stays in the books as settled, because its payout is on the chain;
 * - a payment that was dead for good, since a final block proved it, is on the chain all the same. What is in the wallet of it is
 *   owed to its sender as every stray.
 */
export function isForgiven(day: Day, chains: readonly ChainView[]): (violation: Violation) => boolean {
  if (!day.isDeep) return () => false
  const { tables } = day.database
  const payments = [...tables.transfers.values()].filter(({ purpose }) => !isPayout(purpose))
  const lost = payments.filter((payment) => payment.purpose === 'deposit' && isLost(tables, chains, payment))
  const owed = payments.filter((payment) => isPaidAfterAll(tables, chains, payment))
  const isAbout = (several: readonly Transfer[], what: string) => several.some(({ id }) => what.includes(id))
  return ({ invariant, what }) =>
    (invariant === 'I7 no phantoms' && what.includes('is settled on record, but not on') && isAbout(lost, what)) ||
    (invariant === 'I2 no payment is lost' && what.includes('written off as dead') && isAbout(owed, what))
}

/** Where the chain shows exactly this transfer: its payer may have spent the nonce on another one. */
const spendingOf = (chains: readonly ChainView[], { authorization: { network, from, to, value, nonce } }: Transfer) =>
  chains
    .find((chain) => chain.network === network)
    ?.spendings.find(
      (one) =>
        one.authorizer === from && one.nonce === nonce && one.movement?.to === to && one.movement.value === value,
    )

const isLost = (tables: Tables, chains: readonly ChainView[], deposit: Transfer): boolean => {
  const payout = [...tables.transfers.values()].find(({ depositId }) => depositId === deposit.id)
  const isPaidOut = payout?.state === 'settled' && payout.final && spendingOf(chains, payout) !== undefined
  return isPaidOut && deposit.state === 'settled' && deposit.final && spendingOf(chains, deposit) === undefined
}

/** A bounty does not come through our wallet; anything else has to be a stray there. */
const isPaidAfterAll = ({ movements }: Tables, chains: readonly ChainView[], payment: Transfer): boolean => {
  const txHash = spendingOf(chains, payment)?.txHash
  if (payment.state !== 'dead' || txHash === undefined) return false
  const isIt = (row: MovementRow) =>
    row.txHash === txHash && row.strayId !== null && row.amount === payment.authorization.value
  return payment.purpose === 'bounty' || [...movements.values()].some(isIt)
}

/** What left the wallet while the chain took back for good what it was paid from. */
function lossOn({ transfers, movements }: Tables, chain: ChainView): bigint {
  let loss = 0n
  for (const transfer of transfers.values()) {
    const { purpose, state, authorization } = transfer
    if (authorization.network !== chain.network) continue
    const isOnChain = spendingOf([chain], transfer) !== undefined
    if (purpose === 'deposit' && state === 'settled' && !isOnChain) loss += authorization.value
    if ((purpose === 'release' || purpose === 'refund') && state === 'dead' && isOnChain) loss += authorization.value
    if (purpose === 'return' && state === 'settled' && isGone(movements.values(), chain, transfer.id))
      loss += authorization.value
  }
  return loss
}

const isGone = (movements: Iterable<MovementRow>, chain: ChainView, returnId: string): boolean =>
  [...movements].some(
    (row) =>
      row.returnId === returnId &&
      !chain.movements.some(({ txHash, logIndex }) => txHash === row.txHash && logIndex === row.logIndex),
  )

/** An operator makes up for what a deep reorg cost, to the unit; on other days nothing is lost at all. */
export function* wrongLosses({ isDeep, database: { tables } }: Day, chains: readonly ChainView[]): Iterable<string> {
  for (const chain of chains) {
    const { network } = chain
    const covering = [...tables.movements.values()].filter((row) => row.network === network && row.coversLoss)
    const covered = covering.reduce((sum, { amount }) => sum + amount, 0n)
    const loss = lossOn(tables, chain) + paidForBonds(tables, network)
    if (covered !== loss) yield `${network}: ${loss} is lost, and ${covered} was paid in for it`
    const house = houseOf(tables, COMMITTED, network)
    if (house < 0n) yield `${network}: the house owes ${-house} in the end`
    if (!isDeep && loss > 0n) yield `${network}: ${loss} is lost without a deep reorg`
  }
  if (isDeep) return
  for (const [whose, balance] of houseByAgent(tables))
    if (balance < 0n) yield `the house stands in for ${-balance} of the bond of ${whose} without a deep reorg`
}

/** What an operator paid in for bonds that were gone when they had been withdrawn. */
const paidForBonds = ({ postings }: Tables, network: string): bigint =>
  [...postings.values()]
    .filter((posting) => posting.network === network && posting.debit === 'suspense' && posting.credit === 'house')
    .reduce((sum, { amount }) => sum + amount, 0n)

/** What the house has of each agent's bonds: it may give back a slash, with a bond that a reorg took back after that. */
function houseByAgent({ postings }: Tables): ReadonlyMap<string, bigint> {
  const balances = new Map<string, bigint>()
  for (const { network, agentId, debit, credit, amount } of postings.values()) {
    const share = credit === 'house' ? amount : debit === 'house' ? -amount : 0n
    const whose = `${agentId} on ${network}`
    if (agentId !== null) balances.set(whose, (balances.get(whose) ?? 0n) + share)
  }
  return balances
}

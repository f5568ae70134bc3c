import { OPENING } from '../books/opening.ts'
import type { PostingRow, TransferRow } from '../books/rows.ts'
import { placeOf } from '../chain/place-of.ts'
import type { ChainView } from '../chain/read-chain.ts'
import { settledOnChain } from '../chain/settled-on-chain.ts'
import type { Evidence, Invariant } from '../invariant.ts'

const ACCOUNTS = ['wallet', 'deposits', 'bonds', 'house', 'suspense'] as const
const LIABILITIES = ['deposits', 'bonds', 'house', 'suspense'] as const

/** The account that says to whom the money belongs, for transfers through our wallet. */
const LIABILITY_OF: Readonly<Record<string, string>> = {
  deposit: 'deposits',
  release: 'deposits',
  refund: 'deposits',
  bond: 'bonds',
  withdrawal: 'bonds',
  return: 'suspense',
}
const INCOMING = new Set(['deposit', 'bond'])

/** I3: the journal's wallet equals what we owe, and what the chain holds, explained to the unit. */
export const custodyBalances: Invariant = {
  name: 'I3 custody balances',
  *broken(evidence) {
    const { postings, transfers } = evidence.books
    const networks = new Set([...postings, ...transfers, ...evidence.chains].map(({ network }) => network))
    for (const network of networks) yield* wrongAccounts(evidence, network)
    for (const chain of evidence.chains) yield* wrongBalance(evidence, chain)
    const byTransfer = Map.groupBy(postings, ({ transfer_id }) => transfer_id)
    for (const transfer of transfers) yield* wrongEntries(byTransfer.get(transfer.id) ?? [], transfer)
    yield* leftOver(evidence)
  },
}

const balanceOf = (postings: readonly PostingRow[], account: string): bigint =>
  postings.reduce((sum, { debit, credit, amount }) => {
    if (debit !== account && credit !== account) return sum
    return (debit === account) === (account === 'wallet') ? sum + amount : sum - amount
  }, 0n)

function* wrongAccounts({ books }: Evidence, network: string): Iterable<string> {
  const postings = books.postings.filter((posting) => posting.network === network)
  const owed = LIABILITIES.reduce((sum, account) => sum + balanceOf(postings, account), 0n)
  const wallet = balanceOf(postings, 'wallet')
  if (owed !== wallet) yield `${network}: the journal's wallet has ${wallet}, the liabilities are ${owed}`
  for (const account of ACCOUNTS) {
    const balance = balanceOf(postings, account)
    const least = account === 'house' ? -stoodIn(postings) : 0n
    if (balance < least) yield `${network}: the account ${account} is at ${balance}`
    const item = `${network} ${account}`
    const tally = books.tallies.find((one) => one.topic === 'balance' && one.item === item)?.amount ?? 0n
    if (tally !== balance) yield `${network}: the account ${account} is kept at ${tally}, its postings give ${balance}`
  }
}

/** What the house has paid for bonds that were reorged away after they had been withdrawn or slashed. */
const stoodIn = (postings: readonly PostingRow[]): bigint =>
  -balanceOf(
    postings.filter(({ reason }) => reason === 'undone'),
    'house',
  )

/**
 * What the chain holds beyond the journal is incoming, a stray, or a payout that is not booked yet. A payout that died with its
 * deposit is never booked: if the chain shows it, the money is missing.
 */
function* wrongBalance(evidence: Evidence, chain: ChainView): Iterable<string> {
  const { network, balance, movements } = chain
  const transfers = evidence.books.transfers.filter((transfer) => transfer.network === network)
  const postings = evidence.books.postings.filter((posting) => posting.network === network)
  let explained = balanceOf(postings, 'wallet')
  for (const transfer of transfers) {
    if (transfer.state === 'settled' || settledOnChain([chain], transfer) === null) continue
    if (INCOMING.has(transfer.purpose)) explained += transfer.amount
    else if (LIABILITY_OF[transfer.purpose] && transfer.state !== 'dead') explained -= transfer.amount
  }
  // Money that came to the wallet without an authorization on record.
  const known = transfers.flatMap((transfer) => settledOnChain([chain], transfer)?.movement ?? [])
  const carried = new Set(known.map(placeOf))
  const before = evidence.books.watches.find((watch) => watch.network === network)?.first_block ?? -1n
  const strays = movements.filter(
    (one) => one.to === evidence.escrowWallet && one.blockNumber > before && !carried.has(placeOf(one)),
  )
  explained += strays.reduce((sum, { value }) => sum + value, 0n)
  explained -= straysOf(postings) - openingOf(evidence, network) - goneStrays(evidence, chain)
  explained -= coveredLosses(evidence, network)
  if (balance !== explained) {
    yield `${network}: the wallet holds ${balance} on chain; journal, transfers under way and strays explain ${explained}`
  }
}

/** What was in the wallet before the watch began: a stray that no movement from then on shows. */
const openingOf = ({ books }: Evidence, network: string): bigint =>
  books.movements.find((row) => row.network === network && row.tx_hash === OPENING)?.amount ?? 0n

/**
 * Strays that were reorged away after an operator had sent them back. They stay in the books for their return: if that left all the
 * same, the money is missing. One that was mined again is another stray.
 */
function goneStrays({ books }: Evidence, { network, movements }: ChainView): bigint {
  const onChain = new Set(movements.map(placeOf))
  return books.movements
    .filter((row) => row.network === network && row.return_id !== null && !row.proven && row.tx_hash !== OPENING)
    .filter((row) => !onChain.has(placeOf({ txHash: row.tx_hash, logIndex: row.log_index })))
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/** Money that an operator sent to cover a loss. */
const coveredLosses = ({ books }: Evidence, network: string): bigint =>
  books.movements
    .filter((row) => row.network === network && row.covers_loss)
    .reduce((sum, { amount }) => sum + amount, 0n)

/** Money booked as stray, less what turned out to be a payment. */
const straysOf = (postings: readonly PostingRow[]): bigint =>
  balanceOf(
    postings.filter(({ transfer_id }) => transfer_id === null),
    'suspense',
  )

/** Each settled transfer is in the journal once, any other one not at all. */
function* wrongEntries(own: readonly PostingRow[], transfer: TransferRow): Iterable<string> {
  const account = LIABILITY_OF[transfer.purpose]
  if (account === undefined) {
    if (own.length > 0) yield `transfer ${transfer.id} never enters our custody, but stands in the journal`
    return
  }
  const sign = INCOMING.has(transfer.purpose) ? 1n : -1n
  const expected = transfer.state === 'settled' ? sign * transfer.amount : 0n
  const written = balanceOf(own, 'wallet')
  if (written !== expected || balanceOf(own, account) !== expected) {
    yield `the ${transfer.purpose} ${transfer.id} is ${transfer.state}, but the journal moves ${written} for it instead of ${expected}`
  }
}

/** A deposit that was paid out leaves a balance of zero; a held one is there in full. */
function* leftOver({ books }: Evidence): Iterable<string> {
  const byTask = Map.groupBy(books.postings, ({ task_id }) => task_id)
  const states = new Map(books.transfers.map(({ id, state }) => [id, state]))
  for (const task of books.tasks.filter(({ escrow_status }) => escrow_status !== null)) {
    const isIn = states.get(task.escrow_deposit_id ?? '') === 'settled'
    const isOut = states.get(task.escrow_exit_id ?? '') === 'settled'
    const expected = isIn && !isOut ? (task.bounty_amount ?? 0n) : 0n
    const held = balanceOf(byTask.get(task.id) ?? [], 'deposits')
    if (held !== expected) yield `task ${task.id} should have ${expected} in escrow, the journal says ${held}`
  }
}

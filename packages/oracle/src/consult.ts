import { type Books, readBooks } from './books/read-books.ts'
import { firstBlock } from './chain/first-block.ts'
import { readChain, type WatchedNetwork } from './chain/read-chain.ts'
import type { Evidence, Invariant, Violation } from './invariant.ts'
import { bondsAreCovered } from './invariants/bonds-are-covered.ts'
import { checkpointsHold } from './invariants/checkpoints-hold.ts'
import { countsAreRight } from './invariants/counts-are-right.ts'
import { custodyBalances } from './invariants/custody-balances.ts'
import { eventsComeOnce } from './invariants/events-come-once.ts'
import { ledgerIsUnbroken } from './invariants/ledger-is-unbroken.ts'
import { ledgerSaysWhatHappened } from './invariants/ledger-says-what-happened.ts'
import { movementsAreKnown } from './invariants/movements-are-known.ts'
import { noPaymentIsLost } from './invariants/no-payment-is-lost.ts'
import { noPhantoms } from './invariants/no-phantoms.ts'
import { oneAuthorizationOneUse } from './invariants/one-authorization-one-use.ts'
import { oneExitPerDeposit } from './invariants/one-exit-per-deposit.ts'
import { receiptsAreSigned } from './invariants/receipts-are-signed.ts'
import { statesFitTogether } from './invariants/states-fit-together.ts'
import { timersAreOnTime } from './invariants/timers-are-on-time.ts'

export type Circumstances = {
  readonly networks: readonly WatchedNetwork[]
  readonly escrowWallet: string
  /** The service's time in milliseconds; without it nothing is reported as late. */
  readonly now?: number
}

export type Question = Circumstances & { readonly databaseUrl: string }

/** Checked on the books and chains alone. */
const invariants: readonly Invariant[] = [
  oneExitPerDeposit,
  noPaymentIsLost,
  custodyBalances,
  movementsAreKnown,
  ledgerIsUnbroken,
  ledgerSaysWhatHappened,
  noPhantoms,
  oneAuthorizationOneUse,
  eventsComeOnce,
  timersAreOnTime,
  bondsAreCovered,
  statesFitTogether,
  countsAreRight,
]

/** Signature checks, which take milliseconds each. */
const signatures: readonly Invariant[] = [receiptsAreSigned, checkpointsHold]

/** The violations in the evidence, without signature checks. */
export const weigh = (evidence: Evidence): readonly Violation[] => violations(invariants, evidence)

const violations = (several: readonly Invariant[], evidence: Evidence): readonly Violation[] =>
  several.flatMap(({ name, broken }) => [...broken(evidence)].map((what) => ({ invariant: name, what })))

/**
 * Reads the database and the chains and lists the violations; an empty list is good news. Money in flight is no violation, but
 * ask at rest: the chains are read after the database, and what arrives in between looks wrong.
 */
export const consult = async ({ databaseUrl, ...circumstances }: Question): Promise<readonly Violation[]> =>
  judge(await readBooks(databaseUrl), circumstances)

/** Judges books that were already read. */
export async function judge(
  books: Books,
  { networks, escrowWallet, now }: Circumstances,
): Promise<readonly Violation[]> {
  const wallet = escrowWallet.toLowerCase()
  const chains = await Promise.all(
    networks.map((watched) => readChain(watched, wallet, ...interest(books, watched.network))),
  )
  const evidence = { books, chains, escrowWallet: wallet, now: now ?? null }
  return violations([...invariants, ...signatures], evidence)
}

/** The payers on record of a network, and the first block to read. */
const interest = (books: Books, network: string): [payers: readonly string[], fromBlock: bigint] => {
  const here = books.transfers.filter((transfer) => transfer.network === network)
  return [[...new Set(here.map(({ payer }) => payer))], firstBlock(books, network)]
}

import type { Books } from './books/read-books.ts'
import type { ChainView } from './chain/read-chain.ts'

/** What the oracle looks at: the books as of one moment, and then the chains. */
export type Evidence = {
  readonly books: Books
  readonly chains: readonly ChainView[]
  readonly escrowWallet: string
  /** The service's time; null when it is unknown, and then nothing can be late. */
  readonly now: number | null
}

/** Something that must always hold, and the search for violations. */
export type Invariant = {
  readonly name: string
  readonly broken: (evidence: Evidence) => Iterable<string>
}

export type Violation = { readonly invariant: string; readonly what: string }

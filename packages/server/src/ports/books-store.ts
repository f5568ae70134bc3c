import type { PayoutReads, PayoutWrites } from './payout-store.ts'
import type { SettledReads } from './settled-store.ts'

/** What was paid, what may leave, and whose the money is. */
export type BooksReads = SettledReads & PayoutReads
export type BooksWrites = PayoutWrites

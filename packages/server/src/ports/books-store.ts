import type { CustodyReads, CustodyWrites } from './custody-store.ts'
import type { PayoutReads, PayoutWrites } from './payout-store.ts'
import type { SettledDayReads, SettledDayWrites } from './settled-day-store.ts'
import type { SettledReads } from './settled-store.ts'

/** What was paid, what may leave, and whose the money is. */
export type BooksReads = SettledReads & SettledDayReads & PayoutReads & CustodyReads
export type BooksWrites = SettledDayWrites & PayoutWrites & CustodyWrites

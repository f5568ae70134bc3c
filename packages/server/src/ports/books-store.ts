import type { CustodyReads, CustodyWrites } from './custody-store.ts'
import type { JournalReads, JournalWrites } from './journal-store.ts'
import type { PayoutReads, PayoutWrites } from './payout-store.ts'
import type { SettledDayReads, SettledDayWrites } from './settled-day-store.ts'
import type { SettledReads } from './settled-store.ts'
import type { TransferReads, TransferWrites } from './transfer-store.ts'

/** Everything about money: each transfer, whose the money is, what may be paid out, and what has been paid. */
export type BooksReads = TransferReads & JournalReads & SettledReads & SettledDayReads & PayoutReads & CustodyReads
export type BooksWrites = TransferWrites & JournalWrites & SettledDayWrites & PayoutWrites & CustodyWrites

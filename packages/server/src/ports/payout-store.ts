import type { Instant } from '../domain/instant.ts'

/** The operator's switch: while paused, no payout leaves; everything else continues. */
export type PayoutsSwitch = { readonly paused: boolean; readonly reason: string | null }

export type PayoutReads = {
  payoutsPaused(): Promise<PayoutsSwitch>
  /** Payouts that have not settled, and their sum. */
  queuedPayouts(): Promise<{ readonly count: number; readonly atomic: bigint }>
}

export type PayoutWrites = {
  pausePayouts(paused: boolean, reason: string | null): Promise<void>
  /** As payoutsPaused, but locked: other callers of this method wait until the transaction ends. */
  lockPayouts(): Promise<PayoutsSwitch>
  /** The sum of payouts that are signed, or about to be, and valid after this second, without the excepted one. */
  atomicPaidOut(validAfterSecond: bigint, exceptTransferId: string): Promise<bigint>
  /** Makes all queued payouts due now; returns how many. */
  hastenPayouts(now: Instant): Promise<number>
}

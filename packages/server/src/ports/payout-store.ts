import type { Instant } from '../domain/instant.ts'

/** The operator's switch; off, no payout leaves, and everything else goes on. */
export type PayoutsSwitch = { readonly paused: boolean; readonly reason: string | null }

export type PayoutReads = {
  payoutsPaused(): Promise<PayoutsSwitch>
  /** Payouts that have not arrived, and what they come to. */
  queuedPayouts(): Promise<{ readonly count: number; readonly atomic: bigint }>
}

export type PayoutWrites = {
  pausePayouts(paused: boolean, reason: string | null): Promise<void>
  /** As payoutsPaused, but locked: other callers of this method wait until the transaction ends. */
  lockPayouts(): Promise<PayoutsSwitch>
  /** What payouts come to that are signed, or about to be, and valid beyond this second; one may be left out. */
  atomicPaidOut(validAfterSecond: bigint, exceptTransferId: string): Promise<bigint>
  /** Makes all queued payouts due now; gives their number. */
  hastenPayouts(now: Instant): Promise<number>
}

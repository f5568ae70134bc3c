import type { Instant } from '../domain/instant.ts'

/** The escrow wallet of one network, as the watch last saw it. */
export type CustodyFigure = {
  readonly network: string
  /** What the chain holds beyond what the books explain, in atomic units; negative when money is missing. */
  readonly difference: number
  /** The time since chain and books last agreed; null if they never have. */
  readonly provenSecondsAgo: number | null
}

/** Money that nobody moves, because its network is not served. */
export type UnservedMoney = {
  readonly network: string
  /** Payments that are not final or dead yet. */
  readonly payments: number
  /** What the escrow wallet owes to others there, in atomic units. */
  readonly owed: bigint
}

/** The state of the service, for its operators' dashboards. */
export type Figures = {
  /** Payments that are neither settled nor dead, and how long the oldest has waited. */
  readonly paymentsWaiting: number
  readonly oldestPaymentSeconds: number
  /** How late the oldest due timer is. */
  readonly timersBehindSeconds: number
  readonly payoutsPaused: boolean
  readonly straysWaiting: number
  readonly mailsWaiting: number
  readonly oldestMailSeconds: number
  /** Agents with events to push, how long the oldest event has waited, and how late the oldest due push is. */
  readonly webhooksWaiting: number
  readonly oldestPushSeconds: number
  readonly pushesBehindSeconds: number
  readonly ledgerSequence: number
  readonly ledgerPending: number
  readonly checkpointSecondsAgo: number | null
  readonly custody: readonly CustodyFigure[]
}

export type FigureStore = {
  /** Cheap at any size: it counts only what waits. Custody is that of the given networks: nobody looks at wallets elsewhere. */
  figures(now: Instant, networks: readonly string[]): Promise<Figures>
  /** Money on networks other than these. */
  unserved(networks: readonly string[]): Promise<readonly UnservedMoney[]>
  /** Database connections of this node, and calls that wait for one. */
  pool(): { readonly open: number; readonly idle: number; readonly waiting: number }
}

import type { Instant } from '../domain/instant.ts'

/** The escrow wallet of one network, as the watch last saw it. */
export type CustodyFigure = {
  readonly network: string
  /** What the chain holds beyond what the books explain, in atomic units; below zero money is missing. */
  readonly difference: number
  /** How long ago chain and books were last found to agree; null while they never were. */
  readonly provenSecondsAgo: number | null
}

/** Money that nobody moves: its network is not among those that are served. */
export type UnservedMoney = {
  readonly network: string
  /** Payments that are not final or dead yet. */
  readonly payments: number
  /** What lies in escrow there for others, in atomic units. */
  readonly owed: bigint
}

/** How the service is doing, for its operators' dashboards. */
export type Figures = {
  /** Payments that are neither settled nor dead, and how long the oldest has waited. */
  readonly paymentsWaiting: number
  readonly oldestPaymentSeconds: number
  /** How far the jobs are behind what fell due by time. */
  readonly timersBehindSeconds: number
  readonly payoutsPaused: boolean
  readonly straysWaiting: number
  readonly mailsWaiting: number
  readonly oldestMailSeconds: number
  /** Agents with events that have not been pushed to their address, how long the oldest has waited, and how far the jobs are behind what is due. */
  readonly webhooksWaiting: number
  readonly oldestPushSeconds: number
  readonly pushesBehindSeconds: number
  readonly ledgerSequence: number
  readonly ledgerPending: number
  readonly checkpointSecondsAgo: number | null
  readonly custody: readonly CustodyFigure[]
}

export type FigureStore = {
  /** Cheap at any size: every count is of what waits. */
  figures(now: Instant): Promise<Figures>
  /** Of every network but these, where there is any. */
  unserved(networks: readonly string[]): Promise<readonly UnservedMoney[]>
  /** Connections of this node: in use, and calls that wait for one. */
  pool(): { readonly open: number; readonly idle: number; readonly waiting: number }
}

import type { Instant } from '../domain/instant.ts'

export type TrustRun = { readonly changesSeen: number; readonly computedAt: Instant; readonly tookMs: number }

/** How often one agent has passed another; both are known by their numbers. */
export type TrustEdge = { readonly from: number; readonly to: number; readonly passes: number }

/** An agent as far as trust is concerned. */
export type TrustNode = {
  readonly nr: number
  readonly trust: number
  readonly house: boolean
  readonly suspended: boolean
}

/** What the network's trust is computed from, read and written in pages: it is far too much for one transaction. */
export type TrustStore = {
  lastRun(): Promise<TrustRun>
  /** Counts everything that moves trust: reports that pass, and suspensions. */
  changes(): Promise<number>
  /** False when another run holds the lease. */
  lease(now: Instant, until: Instant): Promise<boolean>
  conclude(run: TrustRun): Promise<void>
  /** In one order. */
  edges(after: Pick<TrustEdge, 'from' | 'to'>, limit: number): Promise<readonly TrustEdge[]>
  standings(afterNr: number, limit: number): Promise<readonly TrustNode[]>
  save(values: readonly { readonly nr: number; readonly trust: number }[], at: Instant): Promise<void>
}

import type { Instant } from '../domain/instant.ts'

export type TrustRun = { readonly changesSeen: number; readonly computedAt: Instant; readonly tookMs: number }

/** How often one agent has passed another; agents are identified by number. */
export type TrustEdge = { readonly from: number; readonly to: number; readonly passes: number }

/** The facts about an agent that matter for trust. */
export type TrustNode = {
  readonly nr: number
  readonly trust: number
  readonly house: boolean
  readonly suspended: boolean
}

/** What trust is computed from, read and written page by page: it is too much for one transaction. */
export type TrustStore = {
  lastRun(): Promise<TrustRun>
  /** A count of everything that changes trust: passing reports, suspensions, reinstatements. */
  changes(): Promise<number>
  /** False when another run holds the lease. Each lease ends later than those before it, and its end is what names it. */
  lease(now: Instant, until: Instant): Promise<boolean>
  /** False when another lease was taken since. */
  conclude(leasedUntil: Instant, run: TrustRun): Promise<boolean>
  /** In a fixed order. */
  edges(after: Pick<TrustEdge, 'from' | 'to'>, limit: number): Promise<readonly TrustEdge[]>
  standings(afterNr: number, limit: number): Promise<readonly TrustNode[]>
  /** Saves nothing when another lease was taken since. */
  save(
    leasedUntil: Instant,
    values: readonly { readonly nr: number; readonly trust: number }[],
    at: Instant,
  ): Promise<void>
}

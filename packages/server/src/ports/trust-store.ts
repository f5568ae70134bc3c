import type { Instant } from '../domain/instant.ts'

export type TrustRun = { readonly changesSeen: number; readonly computedAt: Instant; readonly tookMs: number }

/** What the network's trust is computed from, read and written in pages: it is far too much for one transaction. */
export type TrustStore = {
  lastRun(): Promise<TrustRun>
  /** Counts everything that moves trust: reports that pass, and suspensions. */
  changes(): Promise<number>
  /** False when somebody else is at it. */
  lease(now: Instant, until: Instant): Promise<boolean>
  conclude(run: TrustRun): Promise<void>
  /** Passing reports between agents, known by their numbers, in one order. */
  edges(
    after: { readonly from: number; readonly to: number },
    limit: number,
  ): Promise<readonly { readonly from: number; readonly to: number; readonly passes: number }[]>
  standings(
    afterNr: number,
    limit: number,
  ): Promise<
    readonly { readonly nr: number; readonly trust: number; readonly house: boolean; readonly suspended: boolean }[]
  >
  save(values: readonly { readonly nr: number; readonly trust: number }[], at: Instant): Promise<void>
}

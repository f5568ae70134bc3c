import type { SettledPlace, TaskCategory } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import type { StageSamples } from '../domain/settled/stage-times.ts'
import type { Bounty } from '../domain/task/task.ts'
import type { Hex } from '../domain/transfer/transfer.ts'

/** A paid task, without its buyer. */
export type SettledTask = {
  readonly id: string
  readonly title: string
  readonly category: TaskCategory | null
  readonly bounty: Bounty
  readonly deliverer: { readonly id: string; readonly name: string }
  readonly sponsored: boolean
  readonly createdAt: Instant
  readonly claimedAt: Instant | null
  readonly firstSubmittedAt: Instant | null
  readonly settledAt: Instant
  readonly txHash: Hex
}

export type SettledReads = {
  /** Newest first, those after a place in that order; with no task named, those strictly older. */
  settledTasks(after: SettledPlace | null, limit: number): Promise<readonly SettledTask[]>
  /** How long the stages of the tasks took that were paid within these times, by the day since 1970 on which they were. */
  stageSamples(from: Instant, to: Instant | null): Promise<ReadonlyMap<number, StageSamples>>
}

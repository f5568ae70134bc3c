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
  /** Newest first, after the given place; a place without a task id means strictly older. */
  settledTasks(after: SettledPlace | null, limit: number): Promise<readonly SettledTask[]>
  /** The durations of tasks paid within these times, by the day of the payment, counted since 1970. */
  stageSamples(from: Instant, to: Instant | null): Promise<ReadonlyMap<number, StageSamples>>
}

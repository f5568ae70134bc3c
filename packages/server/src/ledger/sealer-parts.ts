import type { CheckpointFields } from '@guildhall/protocol'
import type { Clock } from '../ports/clock.ts'
import type { HeadRecord } from '../ports/head-record.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import type { Timer } from '../ports/timer.ts'

export type SealerParts = {
  readonly store: Store
  readonly clock: Clock
  readonly timer: Timer
  readonly log: Log
  /** The registry's signature of a checkpoint. */
  readonly attest: (fields: CheckpointFields) => string
  readonly record: HeadRecord
}

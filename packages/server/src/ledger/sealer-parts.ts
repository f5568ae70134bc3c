import type { Clock } from '../ports/clock.ts'
import type { HeadRecord } from '../ports/head-record.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'

export type SealerParts = {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** The Ed25519 secret key with which checkpoints are signed. */
  readonly registryKey: Uint8Array
  readonly record: HeadRecord
}

import { SECOND } from '@guildhall/protocol'
import type { World } from '../ports/world.ts'
import type { Jobs } from './start-jobs.ts'
import { startLoop } from './start-loop.ts'

/**
 * All that a node without jobs does by itself: it seals what is pending and records what others have sealed, so that it, too, tells
 * an older copy of the database from the newest, even while nobody asks it to append anything.
 */
export function followLedger({ ledger, log }: World, clockHolds: () => boolean | Promise<boolean>): Jobs {
  const { stop } = startLoop(log, 'the ledger could not be followed', SECOND, async () =>
    ledger.isTrusted() && (await clockHolds()) ? ledger.sealPending() : 0,
  )
  return { nudge: () => {}, stop }
}

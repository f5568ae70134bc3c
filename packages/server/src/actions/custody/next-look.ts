import { MINUTE } from '@guildhall/protocol'
import type { Instant } from '../../domain/instant.ts'
import type { Rules } from '../../ports/rules.ts'

export const LOOK_EVERY_MS = MINUTE

/**
 * When the wallet is looked at next: within LOOK_EVERY_MS, and on each network at its own moment, so that not all chains are read
 * at once.
 */
export function nextLook(now: Instant, network: string, { networks }: Pick<Rules, 'networks'>): Instant {
  const place = networks.findIndex((served) => served.network === network)
  const moment = place > 0 ? Math.floor((LOOK_EVERY_MS * place) / networks.length) : 0
  const latest = now + LOOK_EVERY_MS
  return latest - ((latest - moment) % LOOK_EVERY_MS)
}

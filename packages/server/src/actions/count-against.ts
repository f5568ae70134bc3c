import type { RateLimit } from '@guildhall/protocol'
import { OverLimit } from '../domain/rate-limit/over-limit.ts'
import { type Standing, standingOf } from '../domain/rate-limit/standing.ts'
import type { Transaction } from '../ports/store.ts'
import type { World } from '../ports/world.ts'

/** Counts a change against the caller's limit, in its transaction: a refused change is not counted. */
export async function countAgainst(
  limit: RateLimit,
  { clock }: World,
  tx: Transaction,
  who: string,
): Promise<Standing> {
  const now = clock.now()
  const standing = standingOf(limit, await tx.hit(`${limit.name}:${who}`, now, limit.windowMs), now)
  if (!standing.allowed) throw new OverLimit(limit, standing.resetSeconds)
  return standing
}

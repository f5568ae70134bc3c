import type { RateLimit } from '@guildhall/protocol'
import { type Standing, standingOf } from '../../domain/rate-limit/standing.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'

/** Counts what the caller is doing against a limit of its own, in the transaction that does it: what is refused is not counted. */
export async function countAgainst(
  limit: RateLimit,
  { clock }: World,
  tx: Transaction,
  who: string,
): Promise<Standing> {
  const now = clock.now()
  const standing = standingOf(limit, await tx.hit(`${limit.name}:${who}`, now, limit.windowMs), now)
  return standing.allowed ? standing : refuse('rate_limited', { retry_after_seconds: standing.resetSeconds })
}

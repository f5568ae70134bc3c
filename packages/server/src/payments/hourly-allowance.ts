import { HOUR } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'

/** How much may be signed per hour. A nonce moves money only once, so it counts once. */
export function createHourlyAllowance(maxAtomic: bigint | null) {
  const taken = new Map<string, { readonly atomic: bigint; readonly at: Instant }>()

  const forget = (now: Instant) => {
    for (const [key, { at }] of taken) if (at <= now - HOUR) taken.delete(key)
  }

  return {
    /** False when this would exceed the allowance; then nothing is taken. */
    take(key: string, atomic: bigint, now: Instant): boolean {
      if (maxAtomic === null) return true
      forget(now)
      let sum = atomic
      for (const [other, entry] of taken) if (other !== key) sum += entry.atomic
      if (sum > maxAtomic) return false
      taken.set(key, { atomic, at: now })
      return true
    },
  }
}

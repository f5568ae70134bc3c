import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from './ports/random.ts'

const AHEAD = 4096

/**
 * The system's random bytes. A call costs the same for few bytes as for many, so they are fetched in advance and handed out once.
 */
export function createRandom(): Random {
  let ahead = Buffer.alloc(0)
  return {
    bytes(count) {
      if (count > AHEAD) return randomBytes(count)
      if (ahead.length < count) ahead = randomBytes(AHEAD)
      const given = ahead.subarray(0, count)
      ahead = ahead.subarray(count)
      return given
    },
    uuid: () => randomUUID(),
  }
}

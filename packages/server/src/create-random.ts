import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from './ports/random.ts'

const AHEAD = 4096

/**
 * The system's random bytes. A call costs the same for few bytes as for many, so they are fetched in advance and handed out once,
 * as copies: through the `buffer` of a view, a caller would reach bytes that are handed out to others.
 */
export function createRandom(): Random {
  let ahead = Buffer.alloc(0)
  return {
    bytes(count) {
      if (count > AHEAD) return new Uint8Array(randomBytes(count))
      if (ahead.length < count) ahead = randomBytes(AHEAD)
      const given = new Uint8Array(ahead.subarray(0, count))
      ahead = ahead.subarray(count)
      return given
    },
    uuid: () => randomUUID(),
  }
}

/** All randomness of a simulated day; the same seed gives the same day. */
export type Chance = {
  /** From 0 up to, not including, 1. */
  next(): number
  /** An integer from 0 up to, not including, the limit. */
  below(limit: number): number
  happens(probability: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  pick<T>(list: readonly T[]): T | undefined
  bytes(count: number): Uint8Array
}

export function createChance(seed: number): Chance {
  let a = 0x9e3779b9 ^ seed
  let b = 0x243f6a88 ^ Math.floor(seed / 2 ** 32)
  let c = 0xb7e15162
  let counter = 1

  /** Four words of state, with a period of at least 2^64 numbers. */
  function word(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) word()

  const next = () => word() / 2 ** 32
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    happens: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    bytes(count) {
      const bytes = new Uint8Array(count)
      for (let index = 0; index < count; index++) bytes[index] = word() & 0xff
      return bytes
    },
  }
}

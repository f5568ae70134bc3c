import { randomInt } from 'node:crypto'

const GIVEN = process.env.HOSTILE_SEED ?? '20261115'

/** The same calls in every run of the tests; others with HOSTILE_SEED=random, or with the seed that a failure names. */
export const hostileSeed = GIVEN === 'random' ? randomInt(2 ** 31) : Number(GIVEN)

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** So many of them, each at most once. */
export function someOf<T>(all: readonly T[], count: number, random: () => number): readonly T[] {
  const left = [...all]
  const chosen: T[] = []
  while (chosen.length < count && left.length > 0) {
    chosen.push(...left.splice(Math.floor(random() * left.length), 1))
  }
  return chosen
}

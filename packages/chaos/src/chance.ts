/** Random decisions. The same seed gives the same ones; real processes still have their own timing. */
export type Chance = {
  /** From 0 up to, not including, 1. */
  next(): number
  between(least: number, most: number): number
  pick<T>(list: readonly [T, ...T[]]): T
  shuffled<T>(list: readonly T[]): T[]
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    between: (least, most) => least + below(most - least + 1),
    pick: (list) => list[below(list.length)] ?? list[0],
    shuffled: (list) =>
      list
        .map((item) => ({ item, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  }
}

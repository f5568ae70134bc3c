/** A queue in which callers take turns, so that many requests of one caller hold up nobody else. */
export type Line<T> = {
  readonly length: number
  add(caller: string, item: T): void
  /** Takes one item, of each caller in turn; a caller's own items come in the order in which they were added. */
  next(): T | undefined
  /** Takes the newest item of the caller with the most, if it has at least two more than this caller. */
  yieldTo(caller: string): T | undefined
  /** Takes the items for which this holds; a caller's items are looked at until it does not hold for one. */
  takeWhile(holds: (item: T) => boolean): T[]
}

export function createLine<T>(): Line<T> {
  // In the order of their turns; a caller without items is not in it.
  const callers = new Map<string, T[]>()
  let length = 0

  function take(caller: string, items: T[], which: 'shift' | 'pop'): T | undefined {
    length--
    const item = items[which]()
    if (items.length === 0) callers.delete(caller)
    return item
  }

  return {
    get length() {
      return length
    },
    add(caller, item) {
      length++
      const items = callers.get(caller)
      if (items === undefined) callers.set(caller, [item])
      else items.push(item)
    },
    next() {
      for (const [caller, items] of callers) {
        const item = take(caller, items, 'shift')
        if (items.length > 0 && callers.size > 1) {
          callers.delete(caller)
          callers.set(caller, items)
        }
        return item
      }
      return undefined
    },
    yieldTo(caller) {
      let [most, items]: [string, T[]] = ['', []]
      for (const entry of callers) if (entry[1].length > items.length) [most, items] = entry
      const own = callers.get(caller)?.length ?? 0
      return items.length > own + 1 ? take(most, items, 'pop') : undefined
    },
    takeWhile(holds) {
      const taken: T[] = []
      for (const [caller, items] of callers) {
        for (let [first] = items; first !== undefined && holds(first); [first] = items) {
          taken.push(first)
          take(caller, items, 'shift')
        }
      }
      return taken
    },
  }
}

/** How many there are of each kind. */
export function countBy<T, K>(items: Iterable<T>, kindOf: (item: T) => K): ReadonlyMap<K, number> {
  const counts = new Map<K, number>()
  for (const item of items) {
    const kind = kindOf(item)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

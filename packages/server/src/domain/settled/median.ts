/** Whole numbers in ascending order. */
export type Sorted = Float64Array

/**
 * The median of several sorted lists together, without merging them: a binary search for the value, in which each list counts its
 * numbers that are no larger. For an even count it is the mean of the two middle numbers.
 */
export function medianOf(lists: readonly Sorted[]): number | null {
  const count = lists.reduce((sum, { length }) => sum + length, 0)
  if (count === 0) return null
  const upper = nth(lists, Math.floor(count / 2) + 1)
  return count % 2 === 1 ? upper : (nth(lists, count / 2) + upper) / 2
}

/** The number at this rank, counted from 1, across all lists. */
function nth(lists: readonly Sorted[], place: number): number {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const list of lists) {
    low = Math.min(low, list[0] ?? low)
    high = Math.max(high, list[list.length - 1] ?? high)
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (countUpTo(lists, middle) >= place) high = middle
    else low = middle + 1
  }
  return low
}

function countUpTo(lists: readonly Sorted[], value: number): number {
  let count = 0
  for (const list of lists) {
    let from = 0
    let to = list.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((list[middle] ?? 0) <= value) from = middle + 1
      else to = middle
    }
    count += from
  }
  return count
}

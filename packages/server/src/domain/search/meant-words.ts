/** Profile words that a mistyped word may stand for: those that contain it, else the nearest within the allowed errors. */
export function meantWords(asked: string, candidates: readonly string[]): readonly string[] {
  const holding = candidates.filter((word) => word.includes(asked))
  if (holding.length > 0) return holding
  const most = errorsAllowed(asked)
  const distances = candidates.map((word) => editDistance(asked, word, most))
  const least = Math.min(...distances)
  return least > most ? [] : candidates.filter((_, index) => distances[index] === least)
}

/** Short words are too similar to guess. */
const errorsAllowed = (word: string): number => (word.length < 4 ? 0 : word.length < 7 ? 1 : 2)

/** Letters to add, drop, replace or swap with their neighbour; anything beyond `most` is `most + 1`. */
export function editDistance(a: string, b: string, most: number): number {
  const [from, to] = [Array.from(a), Array.from(b)]
  if (Math.abs(from.length - to.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const replaced = at(last, column - 1) + (isSame ? 0 : 1)
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = row > 1 && column > 1 && isSwap ? at(beforeLast, column - 2) + 1 : replaced
      current.push(Math.min(replaced, swapped, at(last, column) + 1, at(current, column - 1) + 1))
    }
    beforeLast = last
    last = current
  }
  return Math.min(at(last, to.length), most + 1)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY

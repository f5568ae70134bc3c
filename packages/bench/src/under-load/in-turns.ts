/** A measurement and its reference, taken one right after the other. */
export type Turn = { readonly beside: number; readonly measured: number }

/** The machine's speed varies more than what is compared: ratios are taken within each turn, and the median counts. */
export function middleOf(turns: readonly Turn[]): Turn & { readonly ratio: number; readonly range: string } {
  const sorted = turns
    .map((turn) => ({ ...turn, ratio: turn.measured / turn.beside }))
    .toSorted((a, b) => a.ratio - b.ratio)
  const [first, middle, last] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  if (first === undefined || middle === undefined || last === undefined) throw new Error('Nothing was measured.')
  return { ...middle, range: `${first.ratio.toFixed(2)} to ${last.ratio.toFixed(2)}` }
}

/** Slope of the least-squares line through the values at 0, 1, 2, … */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  let [above, below] = [0, 0]
  for (const [at, value] of values.entries()) {
    above += (at - middle) * (value - mean)
    below += (at - middle) ** 2
  }
  return below === 0 ? 0 : above / below
}

/**
 * The WHERE clause of the comparisons, such as `f.status =`, whose values are not null; their placeholders begin with $`first`.
 */
export function whereGiven(
  comparisons: Readonly<Record<string, unknown>>,
  first: number,
): { readonly where: string; readonly given: readonly unknown[] } {
  const asked = Object.entries(comparisons).filter(([, value]) => value !== null)
  const texts = asked.map(([comparison], index) => `${comparison} $${first + index}`)
  return { where: texts.length === 0 ? '' : `where ${texts.join(' and ')}`, given: asked.map(([, value]) => value) }
}

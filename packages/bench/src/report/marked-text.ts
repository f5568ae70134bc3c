/** Which part of a page is written by a run. */
export type Mark = 'measured' | 'soaked'

/** The page with new text between the marks; a page without them is refused. */
export function betweenMarks(page: string, mark: Mark, text: string): string {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- end of ${mark} -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from === -1 || to < from) throw new RangeError(`The page has no place for what was measured: ${begin} … ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`
}

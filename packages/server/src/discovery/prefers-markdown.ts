/** The other forms in which `/` is served. */
const OTHERS = ['text/html', 'application/json']

/** Whether an Accept header prefers Markdown to the other forms: by weight, and with equal weights by order. */
export function prefersMarkdown(accept: string): boolean {
  const ranges = accept.split(',').map((range) => range.trim().toLowerCase())
  const markdown = weightOf(ranges, 'text/markdown')
  const isBefore = (other: Weight) =>
    markdown.weight > other.weight || (markdown.weight === other.weight && markdown.at < other.at)
  return markdown.weight > 0 && OTHERS.every((type) => isBefore(weightOf(ranges, type)))
}

type Weight = { readonly weight: number; readonly at: number }

function weightOf(ranges: readonly string[], type: string): Weight {
  const at = ranges.findIndex((range) => range.split(';')[0]?.trim() === type)
  const [, given = '1'] = /;\s*q=([\d.]+)/.exec(ranges[at] ?? '') ?? []
  return at === -1 ? { weight: 0, at: ranges.length } : { weight: Number(given), at }
}

/** Whether an Accept header prefers Markdown to HTML: by weight, and with equal weights by order. */
export function prefersMarkdown(accept: string): boolean {
  const ranges = accept.split(',').map((range) => range.trim().toLowerCase())
  const markdown = weightOf(ranges, 'text/markdown')
  const html = weightOf(ranges, 'text/html')
  return (
    markdown.weight > 0 && (markdown.weight > html.weight || (markdown.weight === html.weight && markdown.at < html.at))
  )
}

function weightOf(ranges: readonly string[], type: string): { readonly weight: number; readonly at: number } {
  const at = ranges.findIndex((range) => range.split(';')[0]?.trim() === type)
  const [, given = '1'] = /;\s*q=([\d.]+)/.exec(ranges[at] ?? '') ?? []
  return at === -1 ? { weight: 0, at: ranges.length } : { weight: Number(given), at }
}

const VOID = new Set(['meta', 'link', 'wbr', 'br', 'input', 'path', 'rect'])

/** What is wrong with the nesting of tags, or null. Enough for pages whose attributes are all quoted. */
export function nestingFault(page: string): string | null {
  const open: string[] = []
  for (const [tag, closing, name = '', , selfClosing] of page.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)(\/?)>/gi,
  )) {
    if (closing) {
      const last = open.pop()
      if (last !== name) return `</${name}> closes <${last}>`
    } else if (!selfClosing && !tag.endsWith('/>') && !VOID.has(name)) {
      open.push(name)
    }
  }
  return open.length === 0 ? null : `<${open.at(-1)}> is not closed`
}

export const valuesOf = (page: string, attribute: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

export const twice = (values: readonly string[]): readonly string[] =>
  values.filter((value, index) => values.indexOf(value) !== index)

/** Whatever a strict content security policy would not let run or show. */
export const forbidden = (page: string): readonly string[] =>
  page.match(/<script|<style|\sstyle=|\son[a-z]+=|javascript:|<iframe/gi) ?? []

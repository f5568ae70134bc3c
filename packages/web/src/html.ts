const TEXT = Symbol('html')

/** HTML that we wrote. Only the `html` tag creates it, so data cannot pass for it. */
export type Html = { readonly [TEXT]: string }

/** What a template takes: text is escaped, HTML is not, lists are joined, and null, undefined and false are left out. */
export type HtmlValue = string | number | bigint | Html | null | undefined | false | readonly HtmlValue[]

/** Writes HTML; every value is escaped for use between tags and inside quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { [TEXT]: parts.reduce((text, part, index) => text + write(values[index - 1]) + part) }
}

export const textOf = (page: Html): string => page[TEXT]

/** The address if it is safe in a link (a web address, a path or an anchor), else `#`. */
export const link = (address: string): string => (/^(https?:\/\/|\/(?![/\\])|#)/i.test(address) ? address : '#')

function write(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (isList(value)) return value.map(write).join('')
  return typeof value === 'object' ? value[TEXT] : escapeHtml(String(value))
}

const isList = (value: HtmlValue): value is readonly HtmlValue[] => Array.isArray(value)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? '')

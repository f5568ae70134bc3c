import { base64, base64nopad, base64url, base64urlnopad } from '@scure/base'

const MAX_DEPTH = 32

/** The JSON in a header, plain or in base64 or base64url; a problem in words when it is unreadable or ambiguous. */
export function readHeaderJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  const json = text.startsWith('{') ? text : decodeBase64(text)
  if (json === null) return { problem: 'it is neither JSON nor base64 of JSON' }
  try {
    const value: unknown = JSON.parse(json)
    const problem = problemOf(json)
    return problem === null ? { value } : { problem }
  } catch {
    return { problem: 'it does not hold JSON' }
  }
}

export function encodeHeaderJson(value: unknown): string {
  return base64.encode(new TextEncoder().encode(JSON.stringify(value)))
}

function decodeBase64(text: string): string | null {
  const padded = text.endsWith('=') || text.length % 4 === 0
  const urlSafe = /[-_]/.test(text)
  const coder = urlSafe ? (padded ? base64url : base64urlnopad) : padded ? base64 : base64nopad
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(coder.decode(text))
  } catch {
    return null
  }
}

/** Looks for what JSON.parse accepts but we do not: repeated keys, endless nesting, and texts that no database stores. */
function problemOf(json: string): string | null {
  const open: Set<string>[] = []
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[{}[\]]/g)) {
    if (token === '{' || token === '[') {
      if (open.push(new Set()) > MAX_DEPTH) return 'it is nested too deeply'
    } else if (token === '}' || token === ']') {
      open.pop()
    } else {
      const isKey = token.endsWith(':')
      const text: string = JSON.parse(isKey ? token.slice(0, -1) : token)
      if (text.includes('\0') || !text.isWellFormed()) return 'it has a NUL character or half of a surrogate pair in it'
      if (!isKey) continue
      const keys = open.at(-1)
      if (keys?.has(text)) return 'it has a key twice in one object'
      keys?.add(text)
    }
  }
  return null
}

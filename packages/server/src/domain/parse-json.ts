export type ParsedJson = { readonly value: unknown } | { readonly problem: string }

const MAX_DEPTH = 32
const QUOTE = '"'
const SPACE = /\s/

/**
 * JSON with one meaning only: refuses repeated keys, NUL characters, lone surrogates and endless nesting. Problems call the text
 * by `name`.
 */
export function parseJson(text: string, name = 'The body'): ParsedJson {
  try {
    const value: unknown = JSON.parse(text)
    const problem = problemOf(text, name)
    return problem === null ? { value } : { problem }
  } catch {
    return { problem: `${name} is not JSON.` }
  }
}

/** For text that JSON.parse has accepted, so that brackets and quotes are known to match. */
function problemOf(text: string, name: string): string | null {
  if (!text.isWellFormed()) return 'A text holds half of a surrogate pair.'
  const keysOfOpen: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') {
      if (keysOfOpen.push(null) > MAX_DEPTH) return `${name} is nested more than ${MAX_DEPTH} levels deep.`
    } else if (character === '}' || character === ']') {
      keysOfOpen.pop()
    } else if (character === QUOTE) {
      const end = endOfString(text, at)
      const problem = problemOfString(text, at, end, keysOfOpen)
      if (problem !== null) return problem
      at = end
    }
  }
  return null
}

function problemOfString(text: string, start: number, end: number, keysOfOpen: (Set<string> | null)[]): string | null {
  const token = text.slice(start, end + 1)
  const escaped = token.includes('\\')
  const isKey = isFollowedByColon(text, end + 1)
  if (!escaped && !isKey) return null
  const content: string = escaped ? JSON.parse(token) : token.slice(1, -1)
  if (escaped && content.includes('\0')) return 'A text holds a NUL character.'
  if (escaped && !content.isWellFormed()) return 'A text holds half of a surrogate pair.'
  if (!isKey) return null
  const keys = keysOfOpen.at(-1) ?? new Set()
  if (keys.has(content)) return `The key ${JSON.stringify(content.slice(0, 100))} stands twice in one object.`
  keys.add(content)
  keysOfOpen[keysOfOpen.length - 1] = keys
  return null
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf(QUOTE, start + 1)
  while (isEscaped(text, end)) end = text.indexOf(QUOTE, end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from
  while (at < text.length && SPACE.test(text[at] ?? '')) at++
  return text[at] === ':'
}

import type { Runs } from './runs.ts'
import type { Secret, Steps } from './secret.ts'

const NAMES = [
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'token',
  'apikey',
  'accesskey',
  'privatekey',
  'credential',
  'mnemonic',
]
const SCHEMES = ['bearer', 'basic']
const ENDS_OF_SCHEMES: ReadonlySet<string> = new Set(SCHEMES.map((scheme) => scheme.slice(-1)))
const NAME_REACH = 40
const GAP = 4
const SHORTEST_VALUE = 8
const SHORTEST_BEARER = 16

/** Values behind a name that says so (`password=…`), behind an authorization scheme, and passwords in addresses. */
export function findAssigned(text: string, runs: Runs, steps: Steps): readonly Secret[] {
  const found: Secret[] = []
  for (let place = 0; place < text.length; place++) {
    const character = text.charAt(place)
    const isAssignment = character === '=' || character === ':'
    const mayEndScheme = character === ' ' && ENDS_OF_SCHEMES.has(text.charAt(place - 1).toLowerCase())
    steps(isAssignment || mayEndScheme ? 2 * NAME_REACH : 1)
    if (!isAssignment && !mayEndScheme) continue
    const secret = isAssignment
      ? (inAddress(text, runs, place) ?? namedValue(text, runs, place))
      : behindScheme(text, runs, place)
    if (secret) found.push(secret)
  }
  return found
}

function namedValue(text: string, runs: Runs, place: number): Secret | null {
  const before = text.slice(Math.max(0, place - NAME_REACH), place).replace(/["'`\s]+$/, '')
  const name = /[A-Za-z0-9_-]*$/.exec(before)?.[0].replaceAll(/[_-]/g, '').toLowerCase() ?? ''
  if (!NAMES.some((secret) => name.endsWith(secret) || name.endsWith(`${secret}s`))) return null
  const start = skipGap(text, place + 1)
  const end = runs.value[start] ?? start
  const digits = (runs.digits[end] ?? 0) - (runs.digits[start] ?? 0)
  // Prose says "token: expired" too, but neither quotes nor joins what is not a value.
  const isValue = digits > 0 || !/\s/.test(text.charAt(start - 1))
  return end - start >= SHORTEST_VALUE && isValue ? { kind: 'secret', start, end } : null
}

function behindScheme(text: string, runs: Runs, place: number): Secret | null {
  const word = /[A-Za-z]*$/.exec(text.slice(Math.max(0, place - NAME_REACH), place))?.[0].toLowerCase() ?? ''
  if (!SCHEMES.includes(word)) return null
  const start = skipGap(text, place)
  const end = runs.token[start] ?? start
  return end - start >= SHORTEST_BEARER ? { kind: `${word} token`, start, end } : null
}

/** `scheme://user:password@host` */
function inAddress(text: string, { value }: Runs, place: number): Secret | null {
  if (!text.startsWith('://', place)) return null
  const authority = text.slice(place + 3, Math.min(value[place + 3] ?? 0, place + 3 + 8 * NAME_REACH))
  const [, user, password] = /^([^/:@]*):([^/@]+)@/.exec(authority) ?? []
  if (user === undefined || password === undefined) return null
  const start = place + 3 + user.length + 1
  return { kind: 'password', start, end: start + password.length }
}

function skipGap(text: string, from: number): number {
  let place = from
  while (place < from + GAP && /["'`\s]/.test(text.charAt(place))) place++
  return place
}

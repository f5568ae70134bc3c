import type { Runs } from './runs.ts'
import type { Secret, Steps } from './secret.ts'

/** The least length of a value after a name: people choose short passwords, while `tokens: 4096` is just a number. */
const SHORTEST_BY_NAME: readonly (readonly [name: RegExp, shortest: number])[] = [
  [/^(pass|pw)$/, 4],
  [/(password|passwd|passphrase|passcode|pwd)s?$/, 4],
  [/(secret|token|mnemonic|credential|(api|access|private|secret|signing|account)key)s?$/, 8],
  [/session(id)?$/, 16],
]
const SCHEMES = ['bearer', 'basic']
const ENDS_OF_SCHEMES: ReadonlySet<string> = new Set(SCHEMES.map((scheme) => scheme.slice(-1)))
const NAME_REACH = 40
const GAP = 4
const LONGEST_QUOTED = 200
const SHORTEST_BEARER = 16

/** Values after a telling name (`password=…`) or an authorization scheme, and passwords in addresses. */
export function findAssigned(text: string, runs: Runs, steps: Steps): readonly Secret[] {
  const found: Secret[] = []
  for (let place = 0; place < text.length; place++) {
    const character = text.charAt(place)
    const isAssignment = character === '=' || character === ':'
    const mayEndScheme = character === ' ' && ENDS_OF_SCHEMES.has(text.charAt(place - 1).toLowerCase())
    steps(isAssignment || mayEndScheme ? 2 * NAME_REACH : 1)
    if (!isAssignment && !mayEndScheme) continue
    const secret = isAssignment
      ? (inAddress(text, runs, place) ?? namedValue(text, runs, place, steps))
      : behindScheme(text, runs, place)
    if (secret) found.push(secret)
  }
  return found
}

function namedValue(text: string, runs: Runs, place: number, steps: Steps): Secret | null {
  const before = text.slice(Math.max(0, place - NAME_REACH), place).replace(/["'`\s]+$/, '')
  const name = /[A-Za-z0-9_-]*$/.exec(before)?.[0].replaceAll(/[_-]/g, '').toLowerCase() ?? ''
  const shortest = SHORTEST_BY_NAME.find(([known]) => known.test(name))?.[1]
  if (shortest === undefined) return null
  const start = skipGap(text, place + 1)
  steps(LONGEST_QUOTED)
  const end = Math.max(runs.value[start] ?? start, endOfQuoted(text, start))
  const digits = (runs.digits[end] ?? 0) - (runs.digits[start] ?? 0)
  // Prose has "token: expired", too, but a value without digits follows directly or in quotes, not after a space.
  const isValue = digits > 0 || !/\s/.test(text.charAt(start - 1))
  return end - start >= shortest && isValue ? { kind: 'secret', start, end } : null
}

/** A quoted value may contain spaces; without an opening mark and a closing one on the same line, returns `start`. */
function endOfQuoted(text: string, start: number): number {
  const mark = text.charAt(start - 1)
  if (mark !== '"' && mark !== "'" && mark !== '`') return start
  const [line = ''] = text.slice(start, start + LONGEST_QUOTED).split('\n', 1)
  const length = line.indexOf(mark)
  return length === -1 ? start : start + length
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

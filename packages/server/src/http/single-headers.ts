/** Headers that decide about identity, money or meaning. */
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
/** Every request is looked at: most of its headers are told apart by their length alone. */
const byLength = Map.groupBy(SINGLE, (name) => name.length)

/** The name of such a header that was sent twice: Node would keep one or join them. */
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

import type { Instant } from '../instant.ts'

/** The Idempotency-Key, or payment identifier, of a request; hashes only, the key itself is never stored. */
export type RepeatKey = {
  /** Hash of the key with its caller, method and path. */
  readonly id: Uint8Array
  /** Hash of the request without its payment. */
  readonly request: Uint8Array
  /** Hash of the authorization that came with it; null without a payment. */
  readonly payment: Uint8Array | null
}

/** The right to carry out the request of a key; `holder` identifies the attempt. */
export type HeldKey = { readonly id: Uint8Array; readonly holder: string }

export type KeyRecord = Omit<RepeatKey, 'id'> & {
  readonly leaseUntil: Instant
  /** The change was committed, even if its answer was lost. */
  readonly committed: boolean
  /** Encrypted: it opens only with the key itself. */
  readonly answer: Uint8Array | null
}

export type KeyVerdict = 'other request' | 'answered' | 'running' | 'answer lost' | 'free'

/**
 * What a request gets for a key on record. The same request without its payment counts as the paid one: it must not be asked to
 * pay again.
 */
export function judgeKey(record: KeyRecord, key: RepeatKey, now: Instant): KeyVerdict {
  const lapsed = record.leaseUntil <= now
  if (!record.committed && record.answer === null && lapsed) return 'free'
  if (!isSameRequest(record, key)) return 'other request'
  if (record.answer !== null) return 'answered'
  return lapsed ? 'answer lost' : 'running'
}

const isSameRequest = (record: KeyRecord, { request, payment }: RepeatKey): boolean =>
  isSame(record.request, request) && (payment === null || isSamePayment(record, payment))

/**
 * The attempt that asked for the price may still hold the key when the payment comes, if its process died or could not release
 * it.
 */
const isSamePayment = ({ payment, committed, answer }: KeyRecord, shown: Uint8Array): boolean =>
  payment === null ? !committed && answer === null : isSame(payment, shown)

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

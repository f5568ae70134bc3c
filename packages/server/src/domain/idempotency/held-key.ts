import type { Instant } from '../instant.ts'

/** An Idempotency-Key, or a payment identifier, with which a request came; hashes only, the key itself is never kept. */
export type RepeatKey = {
  /** The key under its caller, method and path. */
  readonly id: Uint8Array
  /** The request without its payment. */
  readonly request: Uint8Array
  /** The authorization that came with it; null while nothing was paid. */
  readonly payment: Uint8Array | null
}

/** The right to carry out what a key stands for; `holder` tells it from every other attempt. */
export type HeldKey = { readonly id: Uint8Array; readonly holder: string }

export type KeyRecord = Omit<RepeatKey, 'id'> & {
  readonly leaseUntil: Instant
  /** The change was committed, whatever became of its answer. */
  readonly committed: boolean
  /** Sealed: it opens only with the key itself. */
  readonly answer: Uint8Array | null
}

export type KeyVerdict = 'other request' | 'answered' | 'running' | 'answer lost' | 'free'

/**
 * What a request may expect of a key that is on record. One that has not been paid yet is the same request as the paid one:
 * it must not be asked to pay again.
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

/** The try that asked for the price may still hold the key when the payment comes: who held it died, or could not let go of it. */
const isSamePayment = ({ payment, committed, answer }: KeyRecord, shown: Uint8Array): boolean =>
  payment === null ? !committed && answer === null : isSame(payment, shown)

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

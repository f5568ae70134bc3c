import type { HeldKey, KeyRecord, RepeatKey } from '../domain/idempotency/held-key.ts'
import type { Instant } from '../domain/instant.ts'

export type RepeatKeyReads = {
  repeatKey(id: Uint8Array): Promise<KeyRecord | null>
}

export type RepeatKeyWrites = {
  /** Takes a key that is new, expired, or left by an attempt that wrote nothing; false when it is not free. */
  holdKey(
    key: RepeatKey,
    holder: string,
    at: { readonly now: Instant; readonly leaseUntil: Instant; readonly expiresAt: Instant },
  ): Promise<boolean>
  /** Marks the key in the transaction of the change; false when another attempt holds it now. */
  commitKey(held: HeldKey): Promise<boolean>
  keepAnswer(held: HeldKey, sealed: Uint8Array): Promise<void>
  /** Frees a key whose request wrote nothing; a committed key stays. */
  releaseKey(held: HeldKey): Promise<void>
}

import { sha256Hex } from '../sha256.ts'

/** The previous hash of the first entry. */
export const NO_PREVIOUS_HASH = '0'.repeat(64)

/** The fields that an entry's hash covers, in order. */
const HASHED_ENTRY_FIELDS = [
  'sequence',
  'previous_hash',
  'entry_type',
  'agent_id',
  'public_key',
  'profile_hash',
  'timestamp',
] as const

export type HashedEntryFields = {
  readonly sequence: number
  readonly previous_hash: string
  readonly entry_type: string
  readonly agent_id?: string | null
  readonly public_key?: string | null
  readonly profile_hash?: string | null
  readonly timestamp: string
}

/** A published ledger entry. `agent_name` is for people; the hash does not cover it. */
export type LedgerEntry = HashedEntryFields & {
  readonly agent_name?: string | null
  readonly entry_hash: string
}

const encoder = new TextEncoder()
let framed = new Uint8Array(1024)

/** sha256 over the hashed fields, each as UTF-8 after its 4-byte big-endian length; an absent field is empty text. */
export function entryHash(entry: HashedEntryFields): string {
  return sha256Hex(frame(entry))
}

/** The hashed bytes, in a buffer that the next call reuses: a ledger has millions of entries. */
function frame(entry: HashedEntryFields): Uint8Array {
  let end = 0
  for (const field of HASHED_ENTRY_FIELDS) {
    const text = String(entry[field] ?? '')
    makeRoom(end + 4 + text.length * 3)
    const { written } = encoder.encodeInto(text, framed.subarray(end + 4))
    framed.set([written >>> 24, written >>> 16, written >>> 8, written], end)
    end += 4 + written
  }
  return framed.subarray(0, end)
}

function makeRoom(bytes: number): void {
  if (bytes <= framed.length) return
  const larger = new Uint8Array(bytes * 2)
  larger.set(framed)
  framed = larger
}

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** What the first entry names as the one before it. */
export const NO_PREVIOUS_HASH = '0'.repeat(64)

/** The fields under an entry's hash, in the order in which they are hashed. */
export const HASHED_ENTRY_FIELDS = [
  'sequence',
  'previous_hash',
  'entry_type',
  'agent_id',
  'public_key',
  'profile_hash',
  'timestamp',
] as const

export interface HashedEntryFields {
  readonly sequence: number
  readonly previous_hash: string
  readonly entry_type: string
  readonly agent_id?: string | null
  readonly public_key?: string | null
  readonly profile_hash?: string | null
  readonly timestamp: string
}

/** An entry of the ledger as it is published. `agent_name` is shown for people and is not under the hash. */
export interface LedgerEntry extends HashedEntryFields {
  readonly agent_name?: string | null
  readonly entry_hash: string
}

const encoder = new TextEncoder()

/** sha256 over the hashed fields, each as UTF-8 behind its 4-byte big-endian length; an absent field is empty text. */
export function entryHash(entry: HashedEntryFields): string {
  const texts = HASHED_ENTRY_FIELDS.map((field) => encoder.encode(String(entry[field] ?? '')))
  const framed = new Uint8Array(texts.reduce((size, text) => size + 4 + text.length, 0))
  const view = new DataView(framed.buffer)
  let end = 0
  for (const text of texts) {
    view.setUint32(end, text.length)
    framed.set(text, end + 4)
    end += 4 + text.length
  }
  return bytesToHex(sha256(framed))
}

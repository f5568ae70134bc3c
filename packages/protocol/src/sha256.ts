import { sha256 as portable } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Node's native hash where available, for ledgers of millions of entries; the portable one in browsers and elsewhere. */
const native = globalThis.process?.getBuiltinModule?.('node:crypto')?.hash

export const sha256: (data: Uint8Array) => Uint8Array =
  native === undefined ? portable : (data) => native('sha256', data, 'buffer')

/** In lower-case hex. */
export const sha256Hex: (data: Uint8Array) => string =
  native === undefined ? (data) => bytesToHex(portable(data)) : (data) => native('sha256', data, 'hex')

import { recover } from 'tiny-secp256k1'
import { hexToBytes, keccak256 } from 'viem'
import type { Hex } from '../domain/transfer/transfer.ts'

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** The address whose plain key signed a digest, in lower case; null for anything but the one canonical form: 65 bytes, low s, v 27 or 28. */
export function recoverSigner(digest: Hex, signature: Hex): Hex | null {
  const parts = /^0x([0-9a-fA-F]{64})([0-9a-fA-F]{64})(1[bBcC])$/.exec(signature)
  if (parts === null || BigInt(`0x${parts[2]}`) > HALF_ORDER) return null
  const bytes = hexToBytes(signature)
  try {
    const key = recover(hexToBytes(digest), bytes.subarray(0, 64), bytes[64] === 27 ? 0 : 1, false)
    return key && `0x${keccak256(key.subarray(1)).slice(-40)}`
  } catch {
    return null
  }
}

import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import { limits } from '../limits.ts'

const MAX_BYTES_PER_CHARACTER = 4
const MAX_HEADER_LENGTH = '0x'.length + limits.walletProof.message * MAX_BYTES_PER_CHARACTER * 2

/** `X-Wallet-Message`: a header cannot hold line breaks, so the message is sent as 0x-hex of its UTF-8. */
export function encodeWalletMessage(message: string): string {
  return `0x${bytesToHex(utf8ToBytes(message))}`
}

/** Reads 0x-hex or base64url, padded or not; null when it is neither, or not UTF-8. */
export function decodeWalletMessage(header: string): string | null {
  if (header.length > MAX_HEADER_LENGTH) return null
  try {
    const bytes = header.startsWith('0x')
      ? hexToBytes(header.slice(2))
      : base64urlnopad.decode(header.replace(/={0,2}$/, ''))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

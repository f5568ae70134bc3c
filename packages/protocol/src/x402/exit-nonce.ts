import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hex } from '../hex.ts'

/**
 * The single nonce with which a deposit leaves escrow, for release and refund alike: the token accepts only one of them.
 * keccak256 of the lines `guildhall escrow exit`, network, asset, payer and nonce of the deposit, in lower case, joined by line
 * feeds.
 */
export function exitNonce(deposit: {
  readonly network: string
  readonly asset: string
  readonly from: string
  readonly nonce: string
}): Hex {
  const { network, asset, from, nonce } = deposit
  return nonceOf(['guildhall escrow exit', ...[network, asset, from, nonce].map((text) => text.toLowerCase())])
}

/**
 * The nonce of an agent's n-th bond withdrawal: keccak256 of the lines `guildhall bond withdrawal`, agent id and n. An older copy of
 * the database counts alike, so the token does not pay it a second time for that copy.
 */
export const withdrawalNonce = (agentId: string, n: number): Hex =>
  nonceOf(['guildhall bond withdrawal', agentId, String(n)])

/**
 * The nonce of the return of unrequested money: keccak256 of the lines `guildhall stray return`, network, transaction hash in
 * lower case and log index. So it can be returned only once.
 */
export const strayReturnNonce = (stray: {
  readonly network: string
  readonly txHash: string
  readonly logIndex: number
}): Hex => nonceOf(['guildhall stray return', stray.network, stray.txHash.toLowerCase(), String(stray.logIndex)])

const nonceOf = (lines: readonly string[]): Hex => `0x${bytesToHex(keccak_256(utf8ToBytes(lines.join('\n'))))}`

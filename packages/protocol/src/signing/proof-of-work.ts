import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { limits } from '../limits.ts'
import { nonceSearch } from './one-block-sha256.ts'

const { maxDifficulty } = limits.registration
const NONCES = 2 ** 32
const NONCE_HEX = /^[0-9a-f]{8}$/
const HASHES_PER_TURN = 50_000

/** Whether sha256(public key || nonce) begins with `difficulty` zero bits (4.3 of the specification). */
export function provesWork(publicKey: Uint8Array, nonceHex: string, difficulty: number): boolean {
  if (publicKey.length !== 32 || !NONCE_HEX.test(nonceHex)) return false
  return leadingZeroBits(sha256(concatBytes(publicKey, hexToBytes(nonceHex)))) >= difficulty
}

export type ProofOfWorkOptions = {
  /** The first nonce to try and the distance to the next: worker i of n takes `{ from: i, step: n }`. */
  readonly from?: number
  readonly step?: number
  /** Called from time to time with the number of hashes tried so far. */
  readonly onProgress?: (hashes: number) => void
  readonly signal?: AbortSignal
}

/** The first nonce that proves the work, or null when all are tried; yields to other work every few milliseconds. */
export async function solveProofOfWork(
  publicKey: Uint8Array,
  difficulty: number,
  { from = 0, step = 1, onProgress, signal }: ProofOfWorkOptions = {},
): Promise<string | null> {
  refuseImpossible(publicKey, difficulty, from, step)
  const search = nonceSearch(publicKey, difficulty)
  let hashes = 0
  for (let first = from; first < NONCES; first += HASHES_PER_TURN * step) {
    signal?.throwIfAborted()
    const count = Math.min(HASHES_PER_TURN, Math.ceil((NONCES - first) / step))
    const nonce = search(first, step, count)
    if (nonce >= 0) return nonce.toString(16).padStart(8, '0')
    hashes += count
    onProgress?.(hashes)
    await otherWork()
  }
  return null
}

function refuseImpossible(publicKey: Uint8Array, difficulty: number, from: number, step: number): void {
  if (publicKey.length !== 32) throw new RangeError('a public key has 32 bytes')
  if (!Number.isInteger(difficulty) || difficulty < 1 || difficulty > maxDifficulty) {
    throw new RangeError(`the difficulty is 1 to ${maxDifficulty} bits`)
  }
  if (!Number.isInteger(from) || !Number.isInteger(step) || from < 0 || step < 1) {
    throw new RangeError('from and step are whole numbers, step at least 1')
  }
}

function otherWork(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

function leadingZeroBits(hash: Uint8Array): number {
  const firstNonZero = hash.findIndex((byte) => byte !== 0)
  return firstNonZero < 0 ? hash.length * 8 : firstNonZero * 8 + Math.clz32(hash[firstNonZero] ?? 0) - 24
}

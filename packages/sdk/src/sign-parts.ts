import { signRequest } from '@guildhall/protocol'
import type { RequestParts } from './build-request.ts'
import { randomHex } from './random-hex.ts'

/** The AgentSig headers of a request, always with a fresh nonce. */
export function signParts(
  parts: RequestParts,
  secretKey: Uint8Array,
  timestamp: number,
): Readonly<Record<string, string>> {
  const { method, path, body } = parts
  return { ...signRequest({ secretKey, method, path, body, timestamp, nonce: randomHex(16) }) }
}

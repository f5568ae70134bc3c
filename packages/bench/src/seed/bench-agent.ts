import { createPrivateKey, generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { agentIdOf, agentMessage, encodePublicKey } from '@guildhall/protocol'
import type { Request } from '../load/operation.ts'

export type BenchAgent = { readonly id: string; readonly publicKey: string; readonly key: KeyObject }

export function makeAgent(): BenchAgent {
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  const key = createPrivateKey({ key: privateKey, type: 'pkcs8', format: 'der' })
  const { x = '' } = key.export({ format: 'jwk' })
  const publicKey = encodePublicKey(Buffer.from(x, 'base64url'))
  return { id: agentIdOf(publicKey), publicKey, key }
}

/** The request with the headers of section 5.1; native keys, because thousands are signed before every round. */
export function signedBy({ publicKey, key }: BenchAgent, request: Request): Request {
  const timestamp = Math.floor(Date.now() / 1000)
  const nonce = randomBytes(12).toString('base64url')
  const bodyHash = hash('sha256', request.body ?? '')
  const message = agentMessage({ method: request.method, path: request.path, timestamp, bodyHash, nonce })
  const signature = sign(null, Buffer.from(message), key).toString('base64')
  return {
    ...request,
    headers: {
      ...request.headers,
      Authorization: `AgentSig ${publicKey}:${signature}`,
      'X-Timestamp': String(timestamp),
      'X-Nonce': nonce,
    },
  }
}

import { utf8ToBytes } from '@noble/hashes/utils.js'
import { limits } from '../limits.ts'
import { sha256Hex } from '../sha256.ts'
import { publicKeyOf, verifyEd25519 } from './ed25519.ts'
import { decodePublicKey, encodePublicKey } from './public-key.ts'
import { parseSignature, signText } from './signature-text.ts'

const AUTHORIZATION = /^AgentSig ([^: ]{32,44}):([^: ]{88})$/
const TIMESTAMP = /^[0-9]{10}$/
const { min, max } = limits.agentSignature.nonce
const NONCE = new RegExp(`^[A-Za-z0-9_-]{${min},${max}}$`)

export type SignedRequest = {
  readonly method: string
  /** As on the request line: undecoded, without the query. */
  readonly path: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly bodyHash: string
  readonly nonce?: string | null | undefined
}

/** The text that an agent signs (5.1 of the specification); a nonce, when sent, is its last part. */
export function agentMessage({ method, path, timestamp, bodyHash, nonce }: SignedRequest): string {
  const parts = [method.toUpperCase(), path, String(timestamp).padStart(10, '0'), bodyHash]
  if (nonce !== undefined && nonce !== null) parts.push(nonce)
  return parts.join(':')
}

/** Lower-case hex sha256 of the raw body; no body counts as no bytes. */
export function hashBody(body?: Uint8Array | string | null): string {
  const bytes = typeof body === 'string' ? utf8ToBytes(body) : (body ?? new Uint8Array())
  return sha256Hex(bytes)
}

export type RequestToSign = {
  readonly secretKey: Uint8Array
  readonly method: string
  readonly path: string
  readonly body?: Uint8Array | string | null | undefined
  readonly timestamp: number
  readonly nonce?: string | undefined
}

export type AgentSignatureHeaders = {
  readonly Authorization: string
  readonly 'X-Timestamp': string
  readonly 'X-Nonce'?: string
}

export function signRequest({ secretKey, method, path, body, timestamp, nonce }: RequestToSign): AgentSignatureHeaders {
  const timestampText = String(timestamp)
  if (parseTimestamp(timestampText) === null) throw new RangeError('the timestamp is unix seconds, ten digits')
  if (nonce !== undefined && !isNonce(nonce)) throw new RangeError(`the nonce is ${min} to ${max} of A-Z a-z 0-9 _ -`)
  const message = agentMessage({ method, path, timestamp, bodyHash: hashBody(body), nonce })
  return {
    Authorization: `AgentSig ${encodePublicKey(publicKeyOf(secretKey))}:${signText(secretKey, message)}`,
    'X-Timestamp': timestampText,
    ...(nonce === undefined ? {} : { 'X-Nonce': nonce }),
  }
}

export type AgentAuthorization = {
  readonly publicKey: string
  readonly publicKeyBytes: Uint8Array
  readonly signature: Uint8Array
  readonly signatureText: string
}

/** Reads an `Authorization: AgentSig …` header; only the canonical text of a key and a signature is accepted. */
export function parseAgentAuthorization(header: string): AgentAuthorization | null {
  const [, publicKey, signatureText] = AUTHORIZATION.exec(header) ?? []
  if (publicKey === undefined || signatureText === undefined) return null
  const publicKeyBytes = decodePublicKey(publicKey)
  const signature = parseSignature(signatureText)
  if (publicKeyBytes === null || signature === null) return null
  return { publicKey, publicKeyBytes, signature, signatureText }
}

export function verifyRequest(authorization: AgentAuthorization, request: SignedRequest): boolean {
  return verifyEd25519(authorization.publicKeyBytes, utf8ToBytes(agentMessage(request)), authorization.signature)
}

export function parseTimestamp(text: string): number | null {
  return TIMESTAMP.test(text) ? Number(text) : null
}

/** Whether a request's timestamp is within `skewSeconds` of the server's clock, either way. */
export function isTimestampInRange(timestamp: number, nowSeconds: number): boolean {
  return Math.abs(nowSeconds - timestamp) <= limits.agentSignature.skewSeconds
}

/** The grammar of `X-Nonce` and of the nonce in statements that wallets sign. */
export function isNonce(text: string): boolean {
  return NONCE.test(text)
}

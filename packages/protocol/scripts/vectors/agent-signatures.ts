import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { agentMessage, hashBody, signRequest } from '../../src/signing/agent-signature.ts'
import { agent, stranger } from './keys.ts'

const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
const timestamp = 1_760_000_000

type Request = {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly nonce?: string
}

const post: Request = {
  method: 'POST',
  path: '/v1/tasks',
  body: '{"title":"caf\u00e9","bounty":null}',
  nonce: 'nonce-0001',
}

export function agentSignatureVectors() {
  const good = [
    signed('a POST with a body and a nonce', post),
    signed('a POST without a nonce', { method: 'POST', path: '/v1/tasks', body: post.body }),
    signed('a GET without a body', { method: 'GET', path: '/v1/verify/assignment', body: '', nonce: 'A'.repeat(64) }),
    signed('a path is signed undecoded', {
      method: 'GET',
      path: '/v1/agents/Two%20Words/events',
      body: '',
      nonce: 'abcd_EF-',
    }),
  ]
  return {
    about:
      'Requests signed by agents. A body is UTF-8; the query is not part of the path; a header not shown was not sent.',
    secret_key: bytesToHex(agent.secretKey),
    public_key: agent.publicKeyText,
    cases: [...good, ...bent(signed('', post))],
  }
}

function signed(name: string, request: Request) {
  const headers = signRequest({ secretKey: agent.secretKey, timestamp, ...request })
  const { method, path, body, nonce } = request
  const message = agentMessage({ method, path, timestamp, bodyHash: hashBody(body), nonce })
  return { name, method, path, body, headers: { ...headers }, message, valid: true }
}

/** Made with the secret key so that the equation holds with the neutral point as R, whatever the message. */
function withNeutralR(message: string): Uint8Array {
  const { secretKey, publicKey } = agent
  const neutral = numberToBytesLE(1n, 32)
  const k = bytesToNumberLE(sha512(concatBytes(neutral, publicKey, utf8ToBytes(message))))
  const { scalar } = ed25519.utils.getExtendedPublicKey(secretKey)
  return concatBytes(neutral, numberToBytesLE((k * scalar) % GROUP_ORDER, 32))
}

function bent({ message, ...request }: ReturnType<typeof signed>) {
  const { headers } = request
  const [key = '', signature = ''] = headers.Authorization.replace('AgentSig ', '').split(':')
  const bytes = base64.decode(signature)
  const malleable = concatBytes(
    bytes.subarray(0, 32),
    numberToBytesLE(bytesToNumberLE(bytes.subarray(32)) + GROUP_ORDER, 32),
  )
  const spareBits = signature.replace(/.==$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}==`)
  const authorization = (text: string) => ({ headers: { ...headers, Authorization: text } })
  const changes: Readonly<Record<string, Partial<typeof request>>> = {
    'another method': { method: 'PUT' },
    'another path': { path: '/v1/tasks/' },
    'the query in the path': { path: '/v1/tasks?x=1' },
    'another body': { body: '{"title":"cafe","bounty":null}' },
    'another timestamp': { headers: { ...headers, 'X-Timestamp': '1760000001' } },
    'a timestamp of eleven digits': { headers: { ...headers, 'X-Timestamp': '01760000000' } },
    'another nonce': { headers: { ...headers, 'X-Nonce': 'nonce-0002' } },
    'the nonce left out': { headers: { Authorization: headers.Authorization, 'X-Timestamp': headers['X-Timestamp'] } },
    'another key': authorization(`AgentSig ${stranger.publicKeyText}:${signature}`),
    'a needless 1 before the key': authorization(`AgentSig 1${key}:${signature}`),
    'another scheme': authorization(`Bearer ${key}:${signature}`),
    'the scheme in small letters': authorization(`agentsig ${key}:${signature}`),
    'two spaces': authorization(`AgentSig  ${key}:${signature}`),
    'a space at the end': authorization(`AgentSig ${key}:${signature} `),
    'base64 without padding': authorization(`AgentSig ${key}:${signature.replace(/=+$/, '')}`),
    base64url: authorization(`AgentSig ${key}:${signature.replaceAll('+', '-').replaceAll('/', '_')}`),
    'spare bits in the last digit': authorization(`AgentSig ${key}:${spareBits}`),
    'S + L': authorization(`AgentSig ${key}:${base64.encode(malleable)}`),
    'R of small order': authorization(`AgentSig ${key}:${base64.encode(withNeutralR(message))}`),
    '63 bytes': authorization(`AgentSig ${key}:${base64.encode(bytes.subarray(1))}`),
  }
  return Object.entries(changes).map(([name, change]) => ({ ...request, ...change, name, valid: false }))
}

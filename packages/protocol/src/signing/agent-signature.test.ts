import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  agentMessage,
  hashBody,
  isNonce,
  isTimestampInRange,
  parseAgentAuthorization,
  parseTimestamp,
  signRequest,
  verifyRequest,
} from './agent-signature.ts'
import { generateKey } from './ed25519.ts'
import { encodePublicKey } from './public-key.ts'

const { secretKey, publicKey } = generateKey(new Uint8Array(32).fill(1))
const request = { secretKey, method: 'POST', path: '/v1/tasks', body: '{"title":"x"}', timestamp: 1_760_000_000 }
const bodyHash = createHash('sha256').update(request.body).digest('hex')
const nothing = createHash('sha256').digest('hex')

describe('the signed message', () => {
  test('is METHOD:path:timestamp:sha256 of the body', () => {
    const { method, path, timestamp } = request
    expect(agentMessage({ method, path, timestamp, bodyHash })).toBe(`POST:/v1/tasks:1760000000:${bodyHash}`)
  })

  test('ends with the nonce when one is sent, and has the method in upper case', () => {
    const message = { method: 'get', path: '/v1/a%20b', timestamp: 1_760_000_000, bodyHash: nothing }
    expect(agentMessage({ ...message, nonce: 'nonce-01' })).toBe(`GET:/v1/a%20b:1760000000:${nothing}:nonce-01`)
    expect(agentMessage({ ...message, nonce: null })).toBe(`GET:/v1/a%20b:1760000000:${nothing}`)
  })

  test('hashes the raw bytes of the body; no body is no bytes', () => {
    expect(hashBody('{"title":"x"}')).toBe(bodyHash)
    expect(hashBody(new TextEncoder().encode('{"title":"x"}'))).toBe(bodyHash)
    for (const none of [undefined, null, '', new Uint8Array()]) expect(hashBody(none)).toBe(nothing)
    expect(hashBody('{ "title": "x" }')).not.toBe(bodyHash)
  })
})

describe('a signed request', () => {
  test('verifies as it was signed and no other way', () => {
    const headers = signRequest({ ...request, nonce: 'nonce-01' })
    const authorization = parseAgentAuthorization(headers.Authorization)
    if (authorization === null) throw new Error('our own header is refused')
    const signed = { method: 'POST', path: '/v1/tasks', timestamp: 1_760_000_000, bodyHash, nonce: 'nonce-01' }
    expect(headers['X-Timestamp']).toBe('1760000000')
    expect(headers['X-Nonce']).toBe('nonce-01')
    expect(authorization.publicKey).toBe(encodePublicKey(publicKey))
    expect(verifyRequest(authorization, signed)).toBe(true)
    const bent = [
      { method: 'PUT' },
      { path: '/v1/task' },
      { timestamp: 1_760_000_001 },
      { bodyHash: nothing },
      { nonce: null },
    ]
    for (const change of bent) expect(verifyRequest(authorization, { ...signed, ...change })).toBe(false)
  })

  test('has no nonce header when none was given', () => {
    expect(Object.keys(signRequest(request))).toEqual(['Authorization', 'X-Timestamp'])
  })

  test('is not made with a nonce or timestamp that a server would refuse', () => {
    expect(() => signRequest({ ...request, nonce: 'short' })).toThrow(RangeError)
    expect(() => signRequest({ ...request, timestamp: 1_760_000_000_000 })).toThrow(RangeError)
    expect(() => signRequest({ ...request, timestamp: 1_760_000_000.5 })).toThrow(RangeError)
  })
})

describe('the Authorization header', () => {
  const good = signRequest(request).Authorization

  test('is AgentSig, one space, key, colon, signature', () => {
    expect(parseAgentAuthorization(good)).not.toBeNull()
    const [scheme = '', rest = ''] = good.split(' ')
    const bad = [
      '',
      'AgentSig',
      'AgentSig ',
      'AgentSig :',
      rest,
      `agentsig ${rest}`,
      `AGENTSIG ${rest}`,
      `Bearer ${rest}`,
    ]
    bad.push(
      `${scheme}  ${rest}`,
      `${scheme}\t${rest}`,
      ` ${good}`,
      `${good} `,
      `${good}\n`,
      `${good}:x`,
      good.replace(':', ' '),
    )
    bad.push(`${good}, ${good}`, good.replace(' ', ' 1'), good.slice(0, -2), good.replaceAll('=', ''))
    for (const header of bad) expect(parseAgentAuthorization(header), header).toBeNull()
  })

  test('any header is either refused or written back unchanged', () => {
    const base58ish = fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{30,46}$/)
    const base64ish = fc.stringMatching(/^[A-Za-z0-9+/]{84,87}={0,2}$/)
    const headerish = fc.tuple(base58ish, base64ish).map(([key, signature]) => `AgentSig ${key}:${signature}`)
    fc.assert(
      fc.property(fc.oneof(fc.string(), headerish), (header) => {
        const parsed = parseAgentAuthorization(header)
        return (
          parsed === null || `AgentSig ${encodePublicKey(parsed.publicKeyBytes)}:${parsed.signatureText}` === header
        )
      }),
      { numRuns: 500 },
    )
  })
})

describe('timestamp and nonce', () => {
  test('a timestamp has ten digits', () => {
    expect(parseTimestamp('1760000000')).toBe(1_760_000_000)
    const bad = [
      '',
      '1e9',
      '+176000000',
      ' 1760000000',
      '1760000000 ',
      '1760000000.0',
      '0x68e6c800',
      '1760000000000',
      '-176000000',
    ]
    bad.push('9'.repeat(30), '１７６０００００００', '176000000', '1760000000\n')
    for (const text of bad) expect(parseTimestamp(text), text).toBeNull()
  })

  test('a timestamp may lie 60 seconds from the clock, either way', () => {
    for (const [timestamp, inRange] of [
      [940, true],
      [939, false],
      [1060, true],
      [1061, false],
    ] as const) {
      expect(isTimestampInRange(timestamp, 1000)).toBe(inRange)
    }
  })

  test('a nonce has 8 to 64 of A-Z a-z 0-9 _ -', () => {
    for (const nonce of ['a'.repeat(8), 'Z_-09'.repeat(12)]) expect(isNonce(nonce)).toBe(true)
    for (const nonce of ['', 'a'.repeat(7), 'a'.repeat(65), 'with space', 'colon:colon', 'a'.repeat(8).concat('\n')]) {
      expect(isNonce(nonce)).toBe(false)
    }
  })
})

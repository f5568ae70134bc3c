import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { encodePublicKey, generateKey, signRequest } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import type { Agent } from '../domain/agent/agent.ts'
import { Refusal } from '../domain/refusal.ts'
import { authenticateAgent, type ReceivedRequest } from './authenticate-agent.ts'
import { createSignatureCheck } from './signature-check.ts'
import { createVerificationKeys } from './verification-keys.ts'

const NOW = 1_800_000_000_500
const SECONDS = 1_800_000_000
const keys = generateKey(new Uint8Array(32).fill(7))
const publicKey = encodePublicKey(keys.publicKey)
const agent = { id: `ag_${publicKey}`, publicKey, status: 'suspended' } as Agent

type Signing = { method?: string; path?: string; body?: string; timestamp?: number; nonce?: string }
const signed = (signing: Signing = {}, headers: IncomingHttpHeaders = {}): ReceivedRequest => {
  const { method = 'POST', path = '/v1/tasks', body = '', timestamp = SECONDS, nonce } = signing
  const own = signRequest({
    secretKey: keys.secretKey,
    method,
    path,
    body,
    timestamp,
    ...(nonce === undefined ? {} : { nonce }),
  })
  const lower = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]))
  return { method, path, headers: { ...lower, ...headers }, body: Buffer.from(body) }
}

const lookedUp: string[] = []
const findAgent = async (id: string) => {
  lookedUp.push(id)
  return id === agent.id ? agent : null
}
const isSigned = createSignatureCheck()
const authenticate = (request: ReceivedRequest, now = NOW) => authenticateAgent(findAgent, isSigned, request, now)
const codeOf = (request: ReceivedRequest, now = NOW) =>
  authenticate(request, now).then(
    () => 'accepted',
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  )

describe('AgentSig', () => {
  test('a signature over METHOD:path:timestamp:sha256(body) is accepted, whatever the status of the agent', async () => {
    const request = signed({ body: '{"a":1}' })
    const caller = await authenticate(request)
    const text = request.headers.authorization?.split(':')[1] ?? ''
    expect(caller.agent).toBe(agent)
    expect({ ...caller.signature, hash: Buffer.from(caller.signature.hash).toString('hex') }).toEqual({
      hash: createHash('sha256').update(Buffer.from(text, 'base64')).digest('hex'),
      text,
      timestamp: SECONDS,
      nonce: null,
      bodyHash: createHash('sha256').update('{"a":1}').digest('hex'),
      publicKeyHex: Buffer.from(keys.publicKey).toString('hex'),
    })
  })

  test('without a body the hash is that of nothing', async () => {
    const { signature } = await authenticate(signed())
    expect(signature.bodyHash).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  test('a nonce that is sent is signed, and kept', async () => {
    expect((await authenticate(signed({ nonce: 'Abc_-123' }))).signature.nonce).toBe('Abc_-123')
    expect(await codeOf(signed({}, { 'x-nonce': 'Abc_-123' }))).toBe('invalid_signature')
    const { 'x-nonce': _, ...without } = signed({ nonce: 'Abc_-123' }).headers
    expect(await codeOf({ ...signed({ nonce: 'Abc_-123' }), headers: without })).toBe('invalid_signature')
  })

  test('another method, path or body than the signed one is refused', async () => {
    expect(await codeOf({ ...signed({ method: 'GET' }), method: 'HEAD' })).toBe('invalid_signature')
    expect(await codeOf({ ...signed(), path: '/v1/tasks/' })).toBe('invalid_signature')
    expect(await codeOf({ ...signed({ path: '/v1/agents/Two Words' }), path: '/v1/agents/Two%20Words' })).toBe(
      'invalid_signature',
    )
    expect(await codeOf({ ...signed({ body: '{"a":1}' }), body: Buffer.from('{"a": 1}') })).toBe('invalid_signature')
    expect(await codeOf({ ...signed(), body: Buffer.from('{}') })).toBe('invalid_signature')
  })

  test('a clock 60 seconds off is accepted either way, 61 is timestamp_out_of_range with server_time', async () => {
    for (const off of [-60, 60]) expect(await codeOf(signed({ timestamp: SECONDS + off }))).toBe('accepted')
    for (const off of [-61, 61]) {
      const refused = await authenticate(signed({ timestamp: SECONDS + off })).catch((error: Refusal) => error)
      expect(refused).toMatchObject({ code: 'timestamp_out_of_range', fields: { server_time: SECONDS } })
    }
  })

  test('the clock is looked at before the database', async () => {
    lookedUp.length = 0
    await codeOf(signed({ timestamp: SECONDS - 61 }))
    await codeOf(signed({}, { authorization: 'AgentSig x:y' }))
    expect(lookedUp).toEqual([])
    await codeOf(signed())
    expect(lookedUp).toEqual([agent.id])
  })

  test('no Authorization is auth_required; an unknown key is unknown_agent, before its signature is looked at', async () => {
    expect(await codeOf({ ...signed(), headers: {} })).toBe('auth_required')
    const stranger = encodePublicKey(generateKey(new Uint8Array(32).fill(9)).publicKey)
    const text = signed().headers.authorization?.split(':')[1]
    expect(await codeOf(signed({}, { authorization: `AgentSig ${stranger}:${text}` }))).toBe('unknown_agent')
  })

  test.each([
    ['', 'empty'],
    ['AgentSig', 'only the scheme'],
    ['AgentSig :', 'neither part'],
    [`Bearer ${publicKey}`, 'another scheme'],
  ])('Authorization "%s" is invalid_signature: %s', async (authorization) => {
    expect(await codeOf(signed({}, { authorization }))).toBe('invalid_signature')
  })

  test('other texts of the same key or signature are refused', async () => {
    const value = signed().headers.authorization ?? ''
    const [head = '', text = ''] = value.split(':')
    const bent = [
      value.replace('AgentSig', 'agentsig'),
      value.replace(' ', '  '),
      `${value}:x`,
      `${value} `,
      `${head}:${text.replace(/=+$/, '')}`,
      `${head}:${text.replaceAll('+', '-').replaceAll('/', '_')}x`,
      `${head}:${text.slice(0, 85)}${String.fromCharCode(text.charCodeAt(85) + 1)}==`,
      value.replace(publicKey, `1${publicKey}`),
      value.replace(publicKey, `ag_${publicKey}`),
      value.replace(publicKey, publicKey.slice(1)),
    ]
    for (const authorization of bent) expect(await codeOf(signed({}, { authorization }))).not.toBe('accepted')
  })

  test.each([
    '',
    '1e9',
    '+180000000',
    ' 1800000000',
    '1800000000.0',
    '1800000000000',
    '-180000000',
    '１８００００００００',
    '0x6b49d200',
  ])('X-Timestamp "%s" is invalid_signature', async (timestamp) => {
    expect(await codeOf(signed({}, { 'x-timestamp': timestamp }))).toBe('invalid_signature')
  })

  test.each(['', 'a'.repeat(7), 'a'.repeat(65), 'with space', 'dot.dot.dot'])(
    'X-Nonce "%s" is invalid_signature',
    async (nonce) => {
      expect(await codeOf(signed({}, { 'x-nonce': nonce }))).toBe('invalid_signature')
    },
  )

  test('a forgery under a key of small order is refused even if such a key were registered', async () => {
    const identity = Buffer.from(`01${'00'.repeat(31)}`, 'hex')
    const text = Buffer.concat([identity, Buffer.alloc(32)]).toString('base64')
    const weak = encodePublicKey(identity)
    const request = signed({}, { authorization: `AgentSig ${weak}:${text}` })
    const result = authenticateAgent(async () => agent, isSigned, request, NOW)
    await expect(result).rejects.toMatchObject({ code: 'invalid_signature' })
  })
})

describe('the keys that are kept', () => {
  test('are imported once and bounded: the one used longest ago goes first', () => {
    const kept = createVerificationKeys(2)
    const [a, b, c] = [1, 2, 3].map((seed) => generateKey(new Uint8Array(32).fill(seed)).publicKey)
    if (a === undefined || b === undefined || c === undefined) throw new Error('three keys are needed')
    const first = kept('a', a)
    const second = kept('b', b)
    expect(kept('a', a)).toBe(first)
    kept('c', c)
    expect(kept('a', a)).toBe(first)
    expect(kept('b', b)).not.toBe(second)
  })
})

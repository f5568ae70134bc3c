import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePaymentHeader } from './payment-payload.ts'

const authorization = {
  from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  value: '5000000',
  validAfter: '0',
  validBefore: '1800003600',
  nonce: `0x${'aB'.repeat(32)}`,
}
const accepted = { scheme: 'exact', network: 'eip155:8453' }
const good = { x402Version: 2, accepted, payload: { signature: `0x${'1C'.repeat(65)}`, authorization } }

const withAuthorization = (over: object) => ({
  ...good,
  payload: { ...good.payload, authorization: { ...authorization, ...over } },
})
const json = (value: unknown) => JSON.stringify(value)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const parse = (value: unknown) => parsePaymentHeader(json(value))

describe('a payment header', () => {
  test('is taken as base64, padded or not, as base64url and as raw JSON', () => {
    const forms = [0, 1, 2].map((padding) =>
      json({ ...good, resource: { url: `https://x/?>>>${'.'.repeat(padding)}` } }),
    )
    for (const text of forms) {
      const encodings = [text, base64(text), base64(text).replace(/=+$/, ''), Buffer.from(text).toString('base64url')]
      for (const header of encodings) expect(parsePaymentHeader(header)).toEqual(parsePaymentHeader(json(good)))
    }
  })

  test('gives numbers as bigints and addresses, nonce and signature in lower case', () => {
    expect(parse({ ...good, extensions: { 'payment-identifier': {} } })).toEqual({
      payload: {
        accepted,
        authorization: {
          from: authorization.from.toLowerCase(),
          to: authorization.to.toLowerCase(),
          value: 5_000_000n,
          validAfter: 0n,
          validBefore: 1_800_003_600n,
          nonce: authorization.nonce.toLowerCase(),
        },
        signature: good.payload.signature.toLowerCase(),
        extensions: { 'payment-identifier': {} },
      },
    })
  })

  test.each([
    ['nothing', ''],
    ['words', 'garbage'],
    ['base64 of words', base64('garbage')],
    ['base64 of bytes that are not UTF-8', Buffer.from(json({ ...good, note: '\xff' }), 'latin1').toString('base64')],
    ['base64 with spaces in it', `${base64(json(good)).slice(0, 8)} ${base64(json(good)).slice(8)}`],
    ['both alphabets of base64 at once', 'ey+_'],
    ['base64 with loose last bits', base64('{}').replace('fQ==', 'fR==')],
    ['an empty object', '{}'],
    ['null', base64('null')],
    ['a list', base64('[]')],
    ['a number', base64('2')],
    ['a text', base64('"x402"')],
    ['truncated JSON', json(good).slice(0, -1)],
    ['something after the JSON', `${json(good)}{}`],
  ])('is refused when it is %s', (_, header) => {
    expect(parsePaymentHeader(header)).toHaveProperty('problem')
  })

  test.each([
    ['version 1', { ...good, x402Version: 1 }],
    ['version 3', { ...good, x402Version: 3 }],
    ['a version in quotes', { ...good, x402Version: '2' }],
    ['no accepted', { ...good, accepted: undefined }],
    ['accepted in a list', { ...good, accepted: [accepted] }],
    ['no payload', { ...good, payload: undefined }],
    ['an empty payload', { ...good, payload: {} }],
    ['extensions in a list', { ...good, extensions: [] }],
    ['a Permit2 payload', { ...good, payload: { signature: good.payload.signature, permit2Authorization: {} } }],
    ['an ERC-7710 payload', { ...good, payload: { delegationManager: authorization.to, permissionContext: '0x00' } }],
    ['no signature', { ...good, payload: { authorization } }],
    ['an empty signature', { ...good, payload: { ...good.payload, signature: '0x' } }],
    ['half a byte of signature', { ...good, payload: { ...good.payload, signature: '0x123' } }],
    ['a signature that is not hexadecimal', { ...good, payload: { ...good.payload, signature: '0xzz' } }],
  ])('is refused with %s', (_, payment) => {
    expect(parse(payment)).toHaveProperty('problem')
  })

  const wrongNumbers = [
    ...['5000000.0', '5e6', '0x4C4B40', '+5', ' 5', '5 ', '', '-5', '05', '5\n', 'much', '٥'],
    ...[String(2n ** 256n), '9'.repeat(79), 5_000_000, 1e21, null, undefined, ['5'], { valueOf: '5' }],
  ]

  test.each(['value', 'validAfter', 'validBefore'])('takes %s only as a plain decimal below 2^256', (name) => {
    for (const wrong of wrongNumbers) expect(parse(withAuthorization({ [name]: wrong }))).toHaveProperty('problem')
    expect(parse(withAuthorization({ [name]: String(2n ** 256n - 1n) }))).toHaveProperty('payload')
  })

  test('is refused when it moves nothing', () => {
    expect(parse(withAuthorization({ value: '0' }))).toHaveProperty('problem')
  })

  test.each(['from', 'to', 'nonce'] as const)('takes %s only in its exact length', (name) => {
    const right = authorization[name]
    const wrong = [
      right.slice(0, -1),
      `${right}0`,
      right.slice(2),
      `0X${right.slice(2)}`,
      `${right.slice(0, -1)}g`,
      null,
    ]
    for (const value of wrong) expect(parse(withAuthorization({ [name]: value }))).toHaveProperty('problem')
  })

  test('is refused when a key is there twice, at any depth and however it is written', () => {
    const twice = json(good).replace('"value":"5000000"', '"value":"5000000","value":"1"')
    const escaped = json(good).replace('"value":"5000000"', '"value":"5000000","\\u0076alue" : "1"')
    for (const text of [twice, escaped, base64(twice)]) {
      expect(parsePaymentHeader(text)).toEqual({ problem: 'it has a key twice in one object' })
    }
  })

  test('may have the same key in different objects and key-like text in values', () => {
    const payment = { ...good, resource: { a: { a: '"a": {', b: ['a', 'a'] }, b: '\\' } }
    expect(parse(payment)).toHaveProperty('payload')
  })

  test('is refused when it is nested without end', () => {
    const nested = json({ ...good, extensions: { x: 'deep' } }).replace('"deep"', '['.repeat(3_000) + ']'.repeat(3_000))
    expect(parsePaymentHeader(nested)).toEqual({ problem: 'it is nested too deeply' })
  })

  test('has at most 16 KiB', () => {
    const padding = (length: number) => json({ ...good, resource: 'x'.repeat(length) })
    const room = 16 * 1024 - padding(0).length
    expect(parsePaymentHeader(padding(room))).toHaveProperty('payload')
    expect(parsePaymentHeader(padding(room + 1))).toHaveProperty('problem')
  })

  test('is never the cause of an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof parsePaymentHeader(text) === 'object'))
    fc.assert(fc.property(fc.json(), (text) => 'problem' in parsePaymentHeader(base64(text))))
  })
})

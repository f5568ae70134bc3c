import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paymentRequirements } from '@guildhall/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import type { SignedAuthorization } from '../ports/facilitator.ts'
import { createHttpFacilitator } from './http-facilitator.ts'

const from = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const payTo = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const asset = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const network = 'eip155:8453'
const other = 'eip155:137'
const txHash = `0x${'ab'.repeat(32)}`
const requirements = paymentRequirements({
  network,
  asset,
  domain: { name: 'USD Coin', version: '2' },
  payTo,
  amount: 5_000_000n,
})
const payment: SignedAuthorization = {
  authorization: {
    network,
    asset,
    from,
    to: payTo,
    value: 5_000_000n,
    validAfter: 0n,
    validBefore: 1_800_003_600n,
    nonce: `0x${'11'.repeat(32)}`,
  },
  signature: `0x${'22'.repeat(65)}`,
}

type Answering = (response: ServerResponse, body: string, path: string) => void
const open: Server[] = []
const warnings: unknown[] = []

afterEach(() => {
  warnings.length = 0
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function facing(answering: Answering, options: { maxInFlight?: number; deadline?: number } = {}) {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    answering(response, body, request.url ?? '')
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { deadline = 5_000, ...rest } = options
  const log = { info: () => {}, alarm: () => {}, warn: (...said: unknown[]) => void warnings.push(said) }
  const urlFor = (asked: string) => (asked === network || asked === other ? url : null)
  return createHttpFacilitator({ urlFor, timeoutMs: { verify: deadline, settle: deadline }, log, ...rest })
}

const saying =
  (status: number, body: unknown): Answering =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
const verify = async (answering: Answering, options = {}) =>
  (await facing(answering, options)).verify(payment, requirements)
const settle = async (answering: Answering, options = {}) =>
  (await facing(answering, options)).settle(payment, requirements)

/** Answers that say nothing of the payment. */
const unclear: Record<string, Answering> = {
  'an HTML page': (response) => void response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>'),
  'broken JSON': (response) => void response.end('{"isValid": true, "success": tr'),
  'an empty answer': (response) => void response.end(),
  'a cut connection': (response) => void response.destroy(),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-length': '500' }).write('{"success": true')
    setImmediate(() => response.destroy())
  },
  'a redirect': (response, body, path) => {
    if (path !== '/elsewhere') response.writeHead(307, { location: '/elsewhere' }).end()
    else saying(200, { isValid: true, payer: from, success: true, transaction: txHash })(response, body, path)
  },
  'an error of its own': saying(500, { error: 'internal', stack: 'at /srv/secret.js' }),
}

describe('a facilitator that says nothing clear', () => {
  test.each(Object.keys(unclear))('leaves a payment unverified and its settlement unknown: %s', async (name) => {
    const answering = unclear[name] as Answering
    const verified = await verify(answering)
    const settled = await settle(answering)
    expect([verified.kind, settled.kind]).toEqual(['unavailable', 'unknown'])
    expect(JSON.stringify([verified, settled, warnings])).not.toMatch(/secret|127\.0\.0\.1|Sorry/)
    expect(warnings).toHaveLength(2)
  })

  test('by sending 100 MB is read no further than 64 KiB', async () => {
    let sent = 0
    const flood: Answering = (response) => {
      const chunk = Buffer.alloc(64 * 1024, ' ')
      const pour = () => {
        while (sent < 100 * 1024 * 1024 && !response.destroyed) {
          sent += chunk.length
          if (!response.write(chunk)) return void response.once('drain', pour)
        }
      }
      pour()
    }
    expect(await settle(flood)).toEqual({ kind: 'unknown', cause: 'the answer is larger than 65536 bytes' })
    expect(sent).toBeLessThan(20 * 1024 * 1024)
  })

  test('in time is not waited for', async () => {
    const silent: Answering = () => {}
    const trickling: Answering = (response) => void response.writeHead(200).write('{')
    for (const slow of [silent, trickling]) {
      expect(await verify(slow, { deadline: 60 })).toEqual({ kind: 'unavailable', cause: 'no answer within 60 ms' })
      expect(await settle(slow, { deadline: 60 })).toEqual({ kind: 'unknown', cause: 'no answer within 60 ms' })
    }
  })

  test('because nobody is there is unavailable', async () => {
    const facilitator = await facing(saying(200, {}))
    await new Promise((resolve) => open.splice(0)[0]?.close(resolve))
    const cause = 'the connection failed (ECONNREFUSED)'
    expect(await facilitator.verify(payment, requirements)).toEqual({ kind: 'unavailable', cause })
    expect(await facilitator.settle(payment, requirements)).toEqual({ kind: 'unknown', cause })
  })

  test('because the network has none is unavailable', async () => {
    const facilitator = await facing(saying(200, { isValid: true, payer: from }))
    const elsewhere = { ...requirements, network: 'eip155:5042' }
    expect((await facilitator.verify(payment, elsewhere)).kind).toBe('unavailable')
    expect((await facilitator.settle(payment, elsewhere)).kind).toBe('unknown')
  })
})

test('a verdict is asked for with the x402 v2 body', async () => {
  const asked: unknown[] = []
  const facilitator = await facing((response, body, path) => {
    asked.push([path, JSON.parse(body)])
    saying(200, { isValid: true, payer: from })(response, body, path)
  })
  await facilitator.verify(payment, requirements)
  const { network: _, asset: __, ...rest } = payment.authorization
  const authorization = { ...rest, value: '5000000', validAfter: '0', validBefore: '1800003600' }
  const paymentPayload = {
    x402Version: 2,
    accepted: requirements,
    payload: { signature: payment.signature, authorization },
  }
  expect(asked).toEqual([['/verify', { x402Version: 2, paymentPayload, paymentRequirements: requirements }]])
})

test('one facilitator has no more calls of a network under way than allowed, and those of others go on', async () => {
  const waiting: ServerResponse[] = []
  let arrived = () => {}
  const bothThere = new Promise<void>((resolve) => {
    arrived = () => waiting.length === 2 && resolve()
  })
  const facilitator = await facing(
    (response) => {
      waiting.push(response)
      arrived()
    },
    { maxInFlight: 2 },
  )
  const first = [facilitator.verify(payment, requirements), facilitator.verify(payment, requirements)]
  await bothThere
  const cause = 'too many calls are under way'
  expect(await facilitator.verify(payment, requirements)).toEqual({ kind: 'unavailable', cause })
  expect(await facilitator.settle(payment, requirements)).toEqual({ kind: 'unknown', cause })
  first.push(facilitator.verify(payment, { ...requirements, network: other }))
  await new Promise<void>((resolve) => {
    arrived = resolve
  })
  for (const response of waiting.splice(0)) saying(200, { isValid: true, payer: from })(response, '', '')
  expect((await Promise.all(first)).map(({ kind }) => kind)).toEqual(['valid', 'valid', 'valid'])
  const next = facilitator.verify(payment, requirements)
  const released = await Promise.race([next, new Promise((resolve) => (arrived = () => resolve('asked again')))])
  expect(released).toBe('asked again')
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { type Arrival, arrive } from './arrive.ts'
import { encodeRequest } from './operation.ts'

const BLOCKED_MS = 300
const arrival: Arrival = { kind: 'read', step: { bytes: encodeRequest({ method: 'GET', path: '/' }), status: 200 } }

test('latency counts from the moment at which a request was due, also if it could not be sent then', async () => {
  const server = createServer((_, response) => response.setHeader('content-length', 0).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  let left = 300
  const next = () => {
    if (left-- === 250) for (const began = performance.now(); performance.now() - began < BLOCKED_MS; );
    return left < 0 ? null : arrival
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { outcomes } = await arrive({ url, perSecond: 500, seconds: 60, connections: 200, next })
  server.close()
  expect(outcomes).toHaveLength(300)
  // About 150 fall due while nothing can be sent, half of them in the first half of that time.
  expect(outcomes.filter(({ ms }) => ms > BLOCKED_MS / 2).length).toBeGreaterThan(40)
})

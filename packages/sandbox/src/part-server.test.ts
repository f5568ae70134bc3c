import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createPartServer } from './part-server.ts'

test('a part announces no time after which it closes an idle connection', async () => {
  const server = createPartServer((_, response) => response.end('here'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  expect(await answer.text()).toBe('here')
  expect(answer.headers.get('keep-alive')).toBeNull()
  server.closeAllConnections()
  server.close()
})

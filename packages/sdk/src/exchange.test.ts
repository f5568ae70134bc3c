import { expect, test } from 'vitest'
import { exchange } from './exchange.ts'

const request = { method: 'POST', url: 'http://127.0.0.1:1/', headers: {}, body: '{}' }

async function kindAfter(details: object): Promise<string> {
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), details) }))
  return (await exchange({ fetch, timeoutMs: 1_000 }, request)).kind
}

test('a request whose connection was not made cannot have been seen', async () => {
  expect(await kindAfter({ code: 'ECONNREFUSED', syscall: 'connect' })).toBe('not sent')
  // A node that stops closes its port while the kernel still makes connections to it.
  expect(await kindAfter({ code: 'ECONNRESET', syscall: 'connect' })).toBe('not sent')
  expect(await kindAfter({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })).toBe('not sent')
})

test('a request whose connection broke may have been carried out', async () => {
  expect(await kindAfter({ code: 'ECONNRESET', syscall: 'read' })).toBe('lost')
  expect(await kindAfter({ code: 'UND_ERR_SOCKET' })).toBe('lost')
})

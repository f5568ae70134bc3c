import { expect, test } from 'vitest'
import { reachableUrl } from './reachable-url.ts'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8787'],
  ['localhost', 'http://localhost:8787'],
  ['0.0.0.0', 'http://127.0.0.1:8787'],
  ['::', 'http://127.0.0.1:8787'],
  ['::1', 'http://[::1]:8787'],
])('a server that listens on %s is reached at %s', (host, url) => {
  expect(reachableUrl(host, 8787)).toBe(url)
})

import { expect, test } from 'vitest'
import { createRandom } from './create-random.ts'

test.each([1, 16, 32, 4096, 5000])('%d bytes are as many as asked for, and never the same ones twice', (count) => {
  const random = createRandom()
  const given = Array.from({ length: 300 }, () => Buffer.from(random.bytes(count)))
  expect(given.every(({ length }) => length === count)).toBe(true)
  if (count >= 16) expect(new Set(given.map((bytes) => bytes.toString('hex'))).size).toBe(300)
  else expect(new Set(given.map(([byte]) => byte)).size).toBeGreaterThan(100)
})

test('bytes that were given out are never overwritten', () => {
  const random = createRandom()
  const first = random.bytes(16)
  const then = Buffer.from(first)
  for (let nr = 0; nr < 1000; nr++) random.bytes(16)
  expect(Buffer.from(first)).toEqual(then)
})

test.each([16, 5000])('%d bytes are the caller’s own: no others can be reached through them', (count) => {
  const { buffer } = createRandom().bytes(count)
  expect(buffer.byteLength).toBe(count)
})

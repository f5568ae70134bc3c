import { expect, test } from 'vitest'
import { createTestWindows } from '../../tests/support/test-windows.ts'
import { countRequest, policyText, standingHeader } from './rate-limit.ts'

const limit = { name: 'register-init', per: 'ip', counts: 'tries', points: 2, windowMs: 60_000 } as const

test('a limit of two lets two pass in a window from the first on, and says when to come back', async () => {
  const hit = createTestWindows()
  const at = (now: number, ip = '203.0.113.7') => countRequest(hit, limit, ip, now)
  const first = await at(50_500)
  expect(first).toEqual({ allowed: true, remaining: 1, resetSeconds: 60 })
  expect(policyText([limit], false)).toBe('"register-init";q=2;w=60')
  expect(standingHeader(limit, first)).toEqual({ RateLimit: '"register-init";r=1;t=60' })
  expect(await at(60_000)).toEqual({ allowed: true, remaining: 0, resetSeconds: 51 })
  expect(await at(110_499)).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 })
  expect(await at(110_500)).toEqual({ allowed: true, remaining: 1, resetSeconds: 60 })
})

test('an IPv6 network of 64 bits is one caller', async () => {
  const hit = createTestWindows()
  await countRequest(hit, limit, '2001:db8:1:2::1', 0)
  await countRequest(hit, limit, '2001:db8:1:2:ffff::2', 0)
  expect((await countRequest(hit, limit, '2001:db8:1:2::3', 0)).allowed).toBe(false)
  expect((await countRequest(hit, limit, '2001:db8:1:3::1', 0)).allowed).toBe(true)
})

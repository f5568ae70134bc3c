import { expect, test } from 'vitest'
import { countRequest, rateLimitHeaders } from './rate-limit.ts'

const limit = { name: 'register-init', per: 'ip', points: 2, windowMs: 60_000 } as const

function counters() {
  const counts = new Map<string, number>()
  const windows: [number, number][] = []
  const hit = async (key: string, start: number, end: number) => {
    windows.push([start, end])
    const count = (counts.get(`${key}@${start}`) ?? 0) + 1
    counts.set(`${key}@${start}`, count)
    return count
  }
  return { hit, windows }
}

test('a limit of two lets two pass in a window and says when to come back', async () => {
  const { hit, windows } = counters()
  const at = (now: number, ip = '203.0.113.7') => countRequest(hit, limit, ip, now)
  const first = await at(60_500)
  expect(first).toEqual({ allowed: true, remaining: 1, resetSeconds: 60 })
  expect(rateLimitHeaders(limit, first)).toEqual({
    'RateLimit-Policy': '"register-init";q=2;w=60',
    RateLimit: '"register-init";r=1;t=60',
  })
  expect((await at(61_000)).allowed).toBe(true)
  expect(await at(119_999)).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 })
  expect((await at(120_000)).allowed).toBe(true)
  expect(windows).toEqual([
    [60_000, 120_000],
    [60_000, 120_000],
    [60_000, 120_000],
    [120_000, 180_000],
  ])
})

test('an IPv6 network of 64 bits is one caller', async () => {
  const { hit } = counters()
  await countRequest(hit, limit, '2001:db8:1:2::1', 0)
  await countRequest(hit, limit, '2001:db8:1:2:ffff::2', 0)
  expect((await countRequest(hit, limit, '2001:db8:1:2::3', 0)).allowed).toBe(false)
  expect((await countRequest(hit, limit, '2001:db8:1:3::1', 0)).allowed).toBe(true)
})

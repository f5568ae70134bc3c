import { MINUTE } from '@guildhall/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NOW } from '../../tests/support/samples.ts'
import { storeBench } from '../../tests/support/store.ts'
import { standingOf } from '../domain/rate-limit/standing.ts'

const bench = storeBench()

const LIMIT = { name: 'any', per: 'ip', counts: 'tries', points: 3, windowMs: MINUTE } as const

const hitAt = (key: string, at: number, store = bench.store) => store.transaction((tx) => tx.hit(key, at, MINUTE))

test('hits of all nodes count in one window, and the first after its end begins the next', async () => {
  const hit = (store: typeof bench.store, at = NOW) => hitAt('register:192.0.2.1', at, store)
  const windows = await Promise.all(Array.from({ length: 10 }, (_, i) => hit(i % 2 ? bench.store : bench.other)))
  expect(windows.map(({ hits }) => hits).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(new Set(windows.map(({ endsAt }) => endsAt))).toEqual(new Set([NOW + MINUTE]))
  expect(await hit(bench.store, NOW + MINUTE - 1)).toEqual({ hits: 11, endsAt: NOW + MINUTE })
  expect(await hit(bench.other, NOW + MINUTE)).toEqual({ hits: 1, endsAt: NOW + 2 * MINUTE })
  expect(await bench.store.rateWindow('register:192.0.2.1')).toEqual({ hits: 1, endsAt: NOW + 2 * MINUTE })
  expect(await bench.store.rateWindow('register:192.0.2.2')).toBeNull()
})

test('no window that begins at a first hit lets more pass than the limit, and after its length all are free again', async () => {
  let run = 0
  const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 15 })
  await fc.assert(
    fc.asyncProperty(gaps, async (afterMs) => {
      const key = `gaps:${run++}`
      let [at, begun, passed] = [NOW, Number.NEGATIVE_INFINITY, 0]
      for (const gap of afterMs) {
        at += gap
        const standing = standingOf(LIMIT, await hitAt(key, at), at)
        if (at >= begun + LIMIT.windowMs) {
          ;[begun, passed] = [at, 0]
          expect(standing.remaining).toBe(LIMIT.points - 1)
        }
        if (standing.allowed) passed++
        expect(passed).toBeLessThanOrEqual(LIMIT.points)
        expect(standing.allowed || passed === LIMIT.points).toBe(true)
        expect(standing.resetSeconds).toBe(Math.ceil((begun + LIMIT.windowMs - at) / 1_000))
      }
    }),
    { numRuns: 40 },
  )
})

import { expect, test } from 'vitest'
import { simulateSeed } from '../src/simulate-seed.ts'
import { simulateSeeds } from '../src/simulate-seeds.ts'

const FIRST = 1
const COUNT = 400

test('the same seed gives the same day, step by step', async () => {
  for (const seed of [3, 42, 1234]) {
    const one = await simulateSeed(seed, { kept: true })
    const other = await simulateSeed(seed, { kept: true })
    expect(other.hash).toBe(one.hash)
    expect(other.trace).toEqual(one.trace)
    expect(other.steps).toBe(one.steps)
  }
})

test('another seed gives another day', async () => {
  const [one, other] = await Promise.all([simulateSeed(3), simulateSeed(4)])
  expect(other.hash).not.toBe(one.hash)
})

test('whatever fails and in whatever order, nobody loses money and the books hold', { timeout: 600_000 }, async () => {
  const { done, failures } = await simulateSeeds({ first: FIRST, count: COUNT })
  expect(failures).toEqual([])
  expect(done).toBe(COUNT)
})

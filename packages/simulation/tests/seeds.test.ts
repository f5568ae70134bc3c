import { expect, test } from 'vitest'
import { simulateSeed } from '../src/simulate-seed.ts'
import { simulateSeeds } from '../src/simulate-seeds.ts'

/** As many as take less than two minutes of two cores. */
const SEEDS = { first: 1, count: 4_000 }

/** Days that once went wrong. What happens on them changes with the people of the simulation; they are kept as they are. */
const KEPT = [
  657, 779, 4_618, 35_544, 200_247, 305_786, 502_490, 1_001_103, 1_007_695, 1_042_111, 1_089_143, 8_010_489, 8_055_410,
  100_005_875, 150_040_802,
]

/** What a thousand days cannot well do without; if one of them never happens, the people in the simulation have changed. */
const HAPPENS = [
  'accept by signature',
  'accept by token',
  'accept by wallet',
  'cancel by wallet',
  'dispute by wallet',
  'revision by wallet',
  'fund by signature',
  'clear wallet by signature',
  'deposit dead',
  'bounty settled',
  'bounty dead',
  'bond settled',
  'bond dead',
  'withdrawal settled',
  'withdrawal undone',
  'withdrawal called off',
  'withdrawal called off while it was signed',
  'withdrawal ran out',
  'withdrawal superseded',
  'bond undone',
  'bond posted during a withdrawal',
  'bonds on two networks',
  'return settled',
  'release superseded',
  'refund superseded',
  'booked: slash',
  'booked: stray',
  'booked: undone',
  'booked: undone, house to bonds',
  'booked: undone, bonds to house',
  'lost in a deep reorg, and covered',
  'payment from before the first look',
  'payout made again after a deep reorg',
  'noted: settle_failed',
  'noted: payout_redirected',
  'told: task.claim_expired',
  'told: task.payment_failed',
  'told: status.changed',
  'task verified by auto',
  'task expired, escrow refunded',
  'task expired, escrow unfunded',
  'task cancelled, escrow unfunded',
  'attested with an append',
  'attested in a quiet time',
]

test('the same seed gives the same day, step by step', async () => {
  for (const seed of [3, 42, 1234]) {
    const one = await simulateSeed(seed, { kept: true })
    const other = await simulateSeed(seed, { kept: true })
    expect(other.hash).toBe(one.hash)
    expect(other.trace).toEqual(one.trace)
    expect(other.steps).toBe(one.steps)
  }
})

test('the same seed gives the same day on a thread of its own', async () => {
  const { steps } = await simulateSeed(3)
  expect((await simulateSeeds({ first: 3, count: 1, workers: 1 })).steps).toBe(steps)
})

test('another seed gives another day', async () => {
  const [one, other] = await Promise.all([simulateSeed(3), simulateSeed(4)])
  expect(other.hash).not.toBe(one.hash)
})

test.each(KEPT)('day %i, which once went wrong, holds', async (seed) => {
  expect((await simulateSeed(seed)).violations).toEqual([])
})

test('whatever fails and in whatever order, nobody loses money and the books hold', {
  timeout: 1_200_000,
}, async () => {
  const { done, failures, tally } = await simulateSeeds(SEEDS)
  expect(failures).toEqual([])
  expect(done).toBe(SEEDS.count)
  expect(HAPPENS.filter((kind) => !tally.has(kind))).toEqual([])
})

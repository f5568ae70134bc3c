import { expect, test } from 'vitest'
import { BUGS, type Bug } from '../src/bugs.ts'
import { createDay } from '../src/day.ts'
import { simulateSeed } from '../src/simulate-seed.ts'

/** Each was caught within a third of this when it was planted. */
const MOST_SEEDS = 2_000

/** The only days on which some mistakes can show: the others are not run for them. */
const SHOWS_ON: Readonly<Partial<Record<Bug, 'isDeep' | 'isRestored'>>> = {
  'bond credited again in full': 'isDeep',
  'withdrawal of a bond that is gone': 'isDeep',
  'random withdrawal nonce': 'isRestored',
  'no look before a payout': 'isDeep',
  'payout from a short wallet': 'isDeep',
  'payout booked without its deposit': 'isDeep',
  'signed withdrawal called off': 'isDeep',
}

function canShow(bug: Bug, seed: number): boolean {
  const kind = SHOWS_ON[bug]
  return kind === undefined || createDay(seed, { bug, kept: false })[kind]
}

/** The first seed of which the mistake spoils the day. */
async function caughtBy(bug: Bug): Promise<number | null> {
  for (let seed = 1; seed <= MOST_SEEDS; seed++) {
    if (canShow(bug, seed) && (await simulateSeed(seed, { bug, untilWrong: true })).violations.length > 0) return seed
  }
  return null
}

test.each(BUGS)('the mistake "%s" is caught, and without it the same day holds', { timeout: 300_000 }, async (bug) => {
  const seed = await caughtBy(bug)
  expect(seed).not.toBeNull()
  expect((await simulateSeed(seed ?? 0)).violations).toEqual([])
})

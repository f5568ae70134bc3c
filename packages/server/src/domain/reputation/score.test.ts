import { DAY } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { afterGiving, afterOutcome, afterReport, type Findings, type Outcome, withoutFailure } from './changes.ts'
import { newReputation, type Reputation } from './reputation.ts'
import { breakdownOf, confidenceOf, localScoreOf, penaltyOf, rawScoreOf, scoreOf, WEIGHTS } from './score.ts'

const NOW = Date.UTC(2026, 5, 1)
const nobody = newReputation('ag_1', NOW - 90 * DAY)
const passed: Findings = { result: 'pass', coherence: null, capability: null, flagged: false }

const report = (before: Reputation, daysAgo: number, verifierScore: number, findings: Partial<Findings>): Reputation =>
  afterReport(before, { ...passed, ...findings }, verifierScore, NOW - daysAgo * DAY)

const outcome = (before: Reputation, daysAgo: number, what: Outcome): Reputation =>
  afterOutcome(before, what, NOW - daysAgo * DAY)

const times = (count: number, change: (before: Reputation) => Reputation, before = nobody): Reputation =>
  Array.from({ length: count }).reduce<Reputation>(change, before)

test('a worked example is exact to three decimals', () => {
  let known = nobody
  known = report(known, 60, 0.5, { coherence: 0.8, capability: 1 })
  known = outcome(known, 60, 'accepted')
  known = report(known, 30, 0, { result: 'fail', flagged: true })
  known = outcome(known, 30, 'failed')
  known = report(known, 0, 0.2, { result: 'timeout' })
  known = outcome(known, 0, 'accepted')
  known = outcome(known, 0, 'accepted by the timer')
  known = times(4, (before) => afterGiving(before, NOW), known)

  // Weights of the reports: 0.5 e⁻¹, 0.1 e⁻·⁵ (the least that a verifier weighs) and 0.2.
  const breakdown = breakdownOf(known)
  expect(breakdown.passRate).toBeCloseTo(0.413726, 5)
  expect(breakdown.coherence).toBeCloseTo(0.8, 5)
  expect(breakdown.contribution).toBeCloseTo(0.409336, 5)
  expect(breakdown.uptime).toBeCloseTo(0.55015, 5)
  expect(breakdown.capConfirmationRate).toBeCloseTo(1, 5)
  expect(penaltyOf(known)).toBeCloseTo(0.136424, 5)
  expect(rawScoreOf(known)).toBeCloseTo(0.571442, 5)
  expect(confidenceOf(known)).toBeCloseTo(0.45534, 5)
  // Accepted: e⁻¹ + 1 + ½; failed: e⁻·⁵; three and a half tasks.
  expect(breakdown.taskCompletion).toBeCloseTo(0.4735, 4)
  expect(scoreOf({ ...known, trust: 0.25 })).toBeCloseTo(0.324, 3)
})

test('the weights are those of the specification', () => {
  expect(WEIGHTS).toEqual({
    passRate: 0.35,
    coherence: 0.2,
    contribution: 0.15,
    uptime: 0.15,
    capConfirmationRate: 0.15,
    penalty: -0.2,
    taskCompletion: 0.15,
  })
})

test('an agent of whom nothing is known has a score of zero', () => {
  expect(scoreOf(nobody)).toBe(0)
})

test('the score lies between 0 and 1, whatever adds up', () => {
  const praised = times(60, (before) => report(afterGiving(before, NOW), 0, 1, { coherence: 1, capability: 1 }))
  const best = { ...times(20, (before) => outcome(before, 0, 'accepted'), praised), trust: 1 }
  expect(localScoreOf(best)).toBeCloseTo(0.45, 10)
  expect(scoreOf(best)).toBe(1)
  const worst = report(nobody, 0, 1, { result: 'timeout', flagged: true })
  expect(rawScoreOf(worst)).toBe(0)
  expect(scoreOf(worst)).toBe(0)
})

test('trust counts for .7 and moves nothing of the local score', () => {
  const known = report(nobody, 0, 1, {})
  expect(scoreOf({ ...known, trust: 0.5 }) - scoreOf(known)).toBeCloseTo(0.35, 10)
  expect(localScoreOf({ ...known, trust: 0.5 })).toBe(localScoreOf(known))
})

describe('a verification', () => {
  test('weighs exp(−age/60 days)', () => {
    const older = report(report(nobody, 60, 1, {}), 0, 1, { result: 'fail' })
    expect(breakdownOf(older).passRate).toBeCloseTo(Math.exp(-1) / (1 + Math.exp(-1)), 10)
  })

  test('weighs the verifier’s score, and at least a tenth', () => {
    const strong = report(report(nobody, 0, 0.9, {}), 0, 0.01, { result: 'fail' })
    expect(breakdownOf(strong).passRate).toBeCloseTo(0.9, 10)
  })

  test('that says nothing of coherence or capabilities leaves them as they were', () => {
    const known = report(report(nobody, 0, 1, { coherence: 0.6, capability: 0.5 }), 0, 1, {})
    expect(breakdownOf(known)).toMatchObject({ coherence: 0.6, capConfirmationRate: 0.5 })
  })

  test('counts in the order of arrival only as far as its age goes: two of one moment commute', () => {
    const [a, b]: [Partial<Findings>, Partial<Findings>] = [{ coherence: 0.3 }, { result: 'fail', flagged: true }]
    const one = report(report(nobody, 0, 0.4, a), 0, 0.7, b)
    const other = report(report(nobody, 0, 0.7, b), 0, 0.4, a)
    expect(scoreOf(one)).toBeCloseTo(scoreOf(other), 12)
  })
})

describe('contribution and confidence', () => {
  test('contribution is full with fifty reports given', () => {
    const given = (count: number) => breakdownOf(times(count, (before) => afterGiving(before, NOW))).contribution
    expect(given(0)).toBe(0)
    expect(given(50)).toBeCloseTo(1, 12)
    expect(given(500)).toBe(1)
  })

  test('confidence is full with twenty reports received', () => {
    const received = (count: number) => confidenceOf(times(count, (before) => report(before, 0, 1, {})))
    expect(received(0)).toBe(0)
    expect(received(20)).toBeCloseTo(1, 12)
    expect(received(100)).toBe(1)
  })
})

describe('task completion', () => {
  const completion = (known: Reputation) => breakdownOf(known).taskCompletion

  test('is full with ten accepted tasks and none failed', () => {
    expect(completion(times(10, (before) => outcome(before, 0, 'accepted')))).toBeCloseTo(1, 12)
  })

  test('an acceptance by the timer counts half', () => {
    expect(completion(outcome(nobody, 0, 'accepted by the timer'))).toBeCloseTo(Math.log(1.5) / Math.log(11), 12)
    const both = outcome(outcome(nobody, 0, 'accepted by the timer'), 0, 'failed')
    expect(completion(both)).toBeCloseTo(((0.5 / 1.5) * Math.log(2.5)) / Math.log(11), 12)
  })

  test('a lost dispute is a failure, and old outcomes fade', () => {
    const mended = outcome(outcome(nobody, 60, 'failed'), 0, 'accepted')
    expect(completion(mended)).toBeCloseTo(((1 / (1 + Math.exp(-1))) * Math.log(3)) / Math.log(11), 12)
  })

  test('a failure that is taken back leaves nothing behind, however long it had counted', () => {
    const accepted = outcome(nobody, 0, 'accepted')
    const failedOnce = outcome(outcome(nobody, 60, 'failed'), 0, 'accepted')
    const cleared = withoutFailure(failedOnce, NOW - 60 * DAY, NOW)
    expect(cleared.failed).toBe(0)
    expect(completion(cleared)).toBeCloseTo(completion(accepted), 12)
  })
})

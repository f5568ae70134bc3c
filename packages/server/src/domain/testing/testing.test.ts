import { DAY, limits, TESTING_STATUSES } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { sampleTestingRequest } from '../../../tests/support/samples.ts'
import { renewed, whyIneligible, whyLapsed } from './eligibility.ts'
import { findSecretFields } from './find-secret-fields.ts'
import { moved, type TestingTrigger, testingLifecycle } from './lifecycle.ts'
import type { TestingRequest, TestingRun } from './request.ts'
import { haveEnded, missingRuns } from './runs.ts'
import { scopeHashOf } from './scope.ts'

const request = (changes: Partial<TestingRequest> = {}): TestingRequest =>
  sampleTestingRequest({
    id: 'treq_1',
    status: 'unconfirmed',
    ownerId: null,
    createdAt: 0,
    confirmBy: DAY,
    confirmedAt: null,
    ...changes,
  })

describe('the lifecycle of a request', () => {
  test('goes from intake to report', () => {
    const confirmed = moved(request(), 'confirm', { now: 1, ownerId: 'own_1' })
    expect(confirmed).toMatchObject({ status: 'confirmed', ownerId: 'own_1', confirmBy: null })
    const approved = moved(confirmed, 'approve', { now: 2 })
    expect(approved).toMatchObject({ status: 'approved', decidedAt: 2, postAt: 2 })
    const running = moved(approved, 'runs are posted', { now: 3 })
    expect(running).toMatchObject({ status: 'running', postAt: null })
    expect(moved(running, 'all runs have ended', { now: 4, acceptedRuns: 1 })).toMatchObject({
      status: 'reported',
      endedAt: 4,
    })
  })

  test('an intake is confirmed in time or forgotten', () => {
    expect(() => moved(request(), 'confirm', { now: DAY, ownerId: 'own_1' })).toThrow('unconfirmed')
    expect(() => moved(request(), 'nobody confirms', { now: DAY - 1 })).toThrow('unconfirmed')
    expect(moved(request(), 'nobody confirms', { now: DAY }).status).toBe('expired')
  })

  test('what has ended never moves again', () => {
    const triggers = Object.keys(testingLifecycle.triggers) as TestingTrigger[]
    for (const status of ['reported', 'rejected', 'expired'] as const)
      for (const trigger of triggers)
        expect(() => moved(request({ status }), trigger, { now: 1, acceptedRuns: 1 })).toThrow(
          `The request is ${status}`,
        )
  })

  test('every state but the first can be reached, and only with an operator’s approval does one run', () => {
    const reached = new Set(['unconfirmed'])
    for (const status of TESTING_STATUSES)
      for (const { to } of Object.values(testingLifecycle.rows[status])) reached.add(to)
    expect([...reached].sort()).toEqual([...TESTING_STATUSES].sort())
    const before = TESTING_STATUSES.filter((status) => 'runs are posted' in testingLifecycle.rows[status])
    expect(before).toEqual(['approved', 'running'])
  })
})

test('scope_hash commits to everything that is to be tested', () => {
  const { scope } = request()
  const hash = scopeHashOf(scope)
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(scopeHashOf({ ...scope, expected_result: 'Another.' })).not.toBe(hash)
})

describe('runs', () => {
  const run = (number: number, attempt: number, outcome: TestingRun['outcome']): TestingRun => ({
    assignmentId: '',
    requestId: '',
    run: number,
    attempt,
    taskId: '',
    outcome,
    reviewNote: null,
    decision: null,
    decisionNote: null,
    trouble: null,
    retryAt: null,
    createdAt: 0,
    endedAt: null,
  })

  test('all are missing at first; a lost one is posted anew, so often and no more', () => {
    expect(missingRuns(2, [])).toEqual([
      { run: 1, attempt: 1 },
      { run: 2, attempt: 1 },
    ])
    expect(missingRuns(2, [run(1, 1, 'accepted'), run(2, 1, null)])).toEqual([])
    const lost = Array.from({ length: limits.testing.attemptsPerRun }, (_, place) => run(1, place + 1, 'lost'))
    expect(missingRuns(1, lost.slice(1))).toHaveLength(1)
    expect(missingRuns(1, lost)).toEqual([])
    expect(haveEnded(1, lost)).toBe(true)
    expect(haveEnded(1, [run(1, 1, null)])).toBe(false)
    expect(haveEnded(2, [run(1, 1, 'accepted')])).toBe(false)
  })
})

describe('a worker', () => {
  const standing = { score: 0.2, minScore: 0.2, now: 1_000 }
  const worker = renewed(null, 'ag_1', 1_000)

  test('needs the score, or to be allow-listed', () => {
    expect(whyIneligible(null, standing)).toBeNull()
    expect(whyIneligible(null, { ...standing, score: 0.199 })).toBe('score_too_low')
    expect(whyIneligible({ ...worker, allowListed: true }, { ...standing, score: 0 })).toBeNull()
  })

  test('is eligible for ninety days and not one moment more, unless suspended', () => {
    expect(whyLapsed(worker, 1_000 + 90 * DAY - 1)).toBeNull()
    expect(whyLapsed(worker, 1_000 + 90 * DAY)).toBe('expired')
    expect(whyLapsed({ ...worker, suspendedFor: 'Copied.' }, 1_001)).toBe('suspended')
    expect(whyIneligible({ ...worker, allowListed: true, suspendedFor: 'Copied.' }, standing)).toBe('suspended')
  })
})

test('texts that look like secrets are named by where they stand', () => {
  const value = { a: 'fine', b: { c: ['fine', `ghp_${'a1B2c3D4e5'.repeat(4)}`] } }
  expect(findSecretFields(value, 'intake').map(({ path }) => path)).toEqual(['intake.b.c.1'])
})

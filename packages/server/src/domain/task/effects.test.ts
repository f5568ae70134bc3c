import { limits, SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleTask } from '../../../tests/support/samples.ts'
import { disputeCounted } from './effects.ts'
import type { TaskFacts } from './facts.ts'

const isCounted = (disputedAt: number | null): boolean => {
  const task = sampleTask({ status: 'submitted', claimedBy: 'ag_1', claimedAt: NOW, disputedAt })
  return disputeCounted.of({ task } as TaskFacts) !== null
}

test('a claim counts as disputed once, whichever clocks the nodes have that claimed and disputed; the next claim counts anew', () => {
  expect(isCounted(null)).toBe(true)
  expect(isCounted(NOW + SECOND)).toBe(false)
  expect(isCounted(NOW - 5 * SECOND)).toBe(false)
  expect(isCounted(NOW - limits.task.claimWindowMs + 5 * SECOND)).toBe(true)
})

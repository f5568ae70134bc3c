import { expect, test } from 'vitest'
import { NOW, sampleTransfer } from '../../../tests/support/samples.ts'
import { stillWorld } from '../../../tests/support/still-world.ts'
import type { Store } from '../../ports/store.ts'
import { postponed } from './postpone.ts'

test('a transfer that has settled in the future, by the clock of another node, is soon looked at again', () => {
  const settledAt = (at: number) => sampleTransfer({ state: 'settled', settledAt: at })
  const next = (at: number) => postponed(stillWorld({} as Store), settledAt(at), null).nextAttemptAt
  expect(next(NOW + 5_000)).toBe(next(NOW))
})

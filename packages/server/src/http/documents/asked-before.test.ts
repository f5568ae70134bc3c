import { expect, test } from 'vitest'
import { createAskedBefore } from './asked-before.ts'

const names = (count: number, prefix: string) => Array.from({ length: count }, (_, nr) => `${prefix} ${nr}`)
const share = (answers: readonly boolean[]) => answers.filter(Boolean).length / answers.length

test('a name is known from the second time on', () => {
  const askedBefore = createAskedBefore()
  expect([askedBefore('task a'), askedBefore('task a'), askedBefore('task b'), askedBefore('task a')]).toEqual([
    false,
    true,
    false,
    true,
  ])
})

test('ten thousand names are nearly all told apart, and remembered while as many others are asked for', () => {
  const askedBefore = createAskedBefore()
  const [some, others] = [names(10_000, 'some'), names(10_000, 'other')]
  expect(share(some.map(askedBefore))).toBe(0)
  expect(share(others.map(askedBefore))).toBe(0)
  expect(share(some.map(askedBefore))).toBeGreaterThan(0.8)
})

test('names that have not been asked for again are forgotten for newer ones', () => {
  const askedBefore = createAskedBefore()
  const old = names(1_000, 'old')
  for (const name of [...old, ...names(500_000, 'new')]) askedBefore(name)
  expect(share(old.map(askedBefore))).toBeLessThan(0.05)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { medianOf } from './median.ts'

const lists = (...numbers: number[][]) => numbers.map((list) => Float64Array.from(list).sort())

test('an even number of samples takes the mean of the two middle values', () => {
  expect(medianOf(lists([10, 30], [20, 40]))).toBe(25)
  expect(medianOf(lists([1_000, 2_000]))).toBe(1_500)
})

test('an odd number of samples has one in the middle', () => {
  expect(medianOf(lists([5], [], [7, 1]))).toBe(5)
})

test('no samples have no median', () => {
  expect(medianOf([])).toBeNull()
  expect(medianOf(lists([], []))).toBeNull()
})

test('several lists have the median of all their numbers', () => {
  const list = fc.array(fc.integer({ min: 0, max: 2 ** 40 }), { maxLength: 20 })
  fc.assert(
    fc.property(fc.array(list, { maxLength: 8 }), (numbers) => {
      const all = numbers.flat().sort((one, other) => one - other)
      const [lower = null, upper = null] = [all[(all.length - 1) >> 1], all[all.length >> 1]]
      expect(medianOf(lists(...numbers))).toBe(lower === null || upper === null ? null : (lower + upper) / 2)
    }),
  )
})

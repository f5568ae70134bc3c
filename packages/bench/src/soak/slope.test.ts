import { expect, test } from 'vitest'
import { slopeOf } from './slope.ts'

test('the slope of what rises evenly is its step', () => {
  expect(slopeOf([3, 5, 7, 9])).toBe(2)
})

test('what goes up and down around one value has none', () => {
  expect(slopeOf([1, 2, 2, 1])).toBe(0)
  expect(slopeOf([4])).toBe(0)
})

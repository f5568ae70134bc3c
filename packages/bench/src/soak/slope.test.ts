import { expect, test } from 'vitest'
import { slopeOf } from './slope.ts'

test('values that rise evenly have their step as slope', () => {
  expect(slopeOf([3, 5, 7, 9])).toBe(2)
})

test('values that go up and down around one value have no slope', () => {
  expect(slopeOf([1, 2, 2, 1])).toBe(0)
  expect(slopeOf([4])).toBe(0)
})

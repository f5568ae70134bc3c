import { expect, test } from 'vitest'
import { middleOf } from './in-turns.ts'

test('the turn with the median ratio is reported, whatever its absolute numbers', () => {
  const turns = [
    { beside: 10, measured: 40 },
    { beside: 100, measured: 110 },
    { beside: 20, measured: 10 },
  ]
  expect(middleOf(turns)).toEqual({ beside: 100, measured: 110, ratio: 1.1, range: '0.50 to 4.00' })
})

test('without a turn there is no result', () => {
  expect(() => middleOf([])).toThrow('Nothing was measured.')
})

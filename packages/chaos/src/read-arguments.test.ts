import { expect, test } from 'vitest'
import { readArguments } from './read-arguments.ts'

test('without options a run has twenty kills and a random seed', () => {
  expect(readArguments([])).toEqual({ kills: 20, seed: expect.any(Number), diskFull: false })
})

test('kills, seed and a full disk can be asked for', () => {
  expect(readArguments(['--kills', '200', '--seed', '2027', '--disk-full'])).toEqual({
    kills: 200,
    seed: 2027,
    diskFull: true,
  })
})

test.each([
  ['--kills', '0'],
  ['--kills', 'all'],
  ['--seed', '-1'],
])('%s %s is refused with what it takes', (option, value) => {
  expect(() => readArguments([`${option}=${value}`])).toThrow(`${option} takes a whole number`)
})

test('the usage can be asked for', () => {
  expect(readArguments(['-h'])).toBeNull()
})

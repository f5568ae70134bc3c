import { expect, test } from 'vitest'
import { BUGS } from './bugs.ts'
import { readArguments } from './read-arguments.ts'

test('without options a thousand seeds are run', () => {
  expect(readArguments([])).toEqual({ seed: 1, seeds: 1_000, bug: null, workers: 2 })
})

test('a seed alone is shown, and with a count it is the first of them', () => {
  expect(readArguments(['--seed', '7'])).toMatchObject({ seed: 7, seeds: null })
  expect(readArguments(['--seed', '7', '--seeds', '30'])).toMatchObject({ seed: 7, seeds: 30 })
})

test('a bug is planted by its name', () => {
  expect(readArguments(['--bug', BUGS[0] as string])).toMatchObject({ bug: BUGS[0] })
  expect(() => readArguments(['--bug', 'none such'])).toThrow('no bug called none such')
})

test.each([
  ['--seeds', '0'],
  ['--seeds', 'many'],
  ['--seed', '1.5'],
  ['--workers', '-1'],
])('%s %s is refused with what it takes', (option, value) => {
  expect(() => readArguments([`${option}=${value}`])).toThrow(`${option} takes a whole number`)
})

test('the usage can be asked for', () => {
  expect(readArguments(['--help'])).toBeNull()
})

import { expect, test } from 'vitest'
import { readArguments } from './read-arguments.ts'

test('a run that cannot write the file that is asked for is refused before it begins', () => {
  expect(() => readArguments(['--registry', '--markdown', 'page.md'])).toThrow('--registry')
  expect(() => readArguments(['--registry', '--json', 'numbers.json'])).toThrow('--json')
  expect(() => readArguments(['--soak', '--json', 'numbers.json'])).toThrow('--json')
  expect(() => readArguments(['--soak', '--registry'])).toThrow('two runs')
})

test('the board and a soak are written into a page', () => {
  expect(readArguments(['--markdown', 'page.md', '--json', 'numbers.json'])).toMatchObject({
    markdownFile: 'page.md',
    jsonFile: 'numbers.json',
  })
  expect(readArguments(['--soak', '--markdown', 'page.md'])).toMatchObject({ markdownFile: 'page.md', soakMinutes: 30 })
})

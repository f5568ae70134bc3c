import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkFiles, type ResultFiles } from './check-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-files-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'page.md'), '<!-- measured -->\n<!-- end of measured -->\n')

const check = (files: Partial<ResultFiles>) => () =>
  checkFiles({ jsonFile: null, markdownFile: null, mark: 'measured', ...files })

test('a page and numbers that can be written are', () => {
  expect(check({})).not.toThrow()
  const files = { jsonFile: join(folder, 'numbers.json'), markdownFile: join(folder, 'page.md') }
  expect(check(files)).not.toThrow()
  expect(check({ jsonFile: files.markdownFile })).not.toThrow()
})

test.each(['none/numbers.json', '.', 'page.md/numbers.json'])(
  'numbers that could not be written are refused before anything is measured: %s',
  (name) => {
    const jsonFile = join(folder, name)
    expect(check({ jsonFile })).toThrow(new RangeError(`--json: ${jsonFile} cannot be written.`))
  },
)

test.each(['none.md', 'none/page.md', '.'])('a page that is not there is refused in a sentence: %s', (name) => {
  const markdownFile = join(folder, name)
  const told = `--markdown: ${markdownFile} is not a page that can be read and written.`
  expect(check({ markdownFile })).toThrow(new RangeError(told))
})

test('a page without the marks of the run is refused', () => {
  expect(check({ markdownFile: join(folder, 'page.md'), mark: 'soaked' })).toThrow('<!-- soaked -->')
})

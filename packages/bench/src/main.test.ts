import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { USAGE } from './read-arguments.ts'

test('a page that is not there is a wrong argument: a sentence, the usage, and code 2', () => {
  const [main, page] = ['main.ts', 'none.md'].map((name) => join(import.meta.dirname, name))
  const { status, stderr } = spawnSync(process.execPath, [main ?? '', '--markdown', page ?? ''], { encoding: 'utf8' })
  expect(stderr).toBe(`--markdown: ${page} is not a page that can be read and written.\n\n${USAGE}\n`)
  expect(status).toBe(2)
})

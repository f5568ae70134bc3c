import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const folder = join(root, 'docs/evidence')
const pages = (await readdir(folder)).filter((name) => name.endsWith('.md'))

/** Files of the project in backticks, from its root or from `packages`. */
const filesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([\w./-]+\/[\w.-]+\.\w+)`/g)].map(([, path]) => path ?? '')

test.each(pages)('every file that docs/evidence/%s names is there', (name) => {
  const files = filesIn(readFileSync(join(folder, name), 'utf8'))
  expect(files.length).toBeGreaterThan(0)
  const missing = files.filter((path) => ![root, join(root, 'packages')].some((from) => existsSync(join(from, path))))
  expect(missing).toEqual([])
})

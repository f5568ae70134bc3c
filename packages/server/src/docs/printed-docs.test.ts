import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { printedDocs } from './printed-docs.ts'

const folder = join(import.meta.dirname, '../../../../docs')

test.each(Object.entries(printedDocs()))('docs/%s is what the code prints (npm run docs)', (name, text) => {
  expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
})

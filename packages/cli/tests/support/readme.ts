import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../../..')

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The code blocks of a page in one language, in their order. */
export const codeBlocks = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, marked, code = '']) => (marked === language ? [code] : []))

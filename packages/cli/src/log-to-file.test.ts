import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { logToFile } from './log-to-file.ts'

test('lines are appended with their time', () => {
  const room = mkdtempSync(join(tmpdir(), 'guildhall-log-'))
  const log = logToFile(join(room, 'sandbox.log'))
  log('one')
  log('two')
  const line = (text: string) => `\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z ${text}\n`
  expect(readFileSync(join(room, 'sandbox.log'), 'utf8')).toMatch(new RegExp(`^${line('one')}${line('two')}$`))
  rmSync(room, { recursive: true })
})

test('a full disk for logs ends nothing', () => {
  expect(() => logToFile('/dev/full')('lost')).not.toThrow()
})

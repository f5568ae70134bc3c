import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFileHeadRecord, readHeadRecord } from './file-head-record.ts'

async function aDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-record-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

test('a record that was never written is told from one that holds nothing yet', async () => {
  const directory = await aDirectory()
  expect(readHeadRecord(directory)).toBe('missing')
  const record = createFileHeadRecord(directory)
  onTestFinished(record.close)
  expect(readHeadRecord(directory)).toBeNull()
  const head = { sequence: 7, entryHash: 'a'.repeat(64) }
  record.write(head)
  expect(readHeadRecord(directory)).toEqual(head)
})

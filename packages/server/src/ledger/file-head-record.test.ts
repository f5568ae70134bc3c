import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFileHeadRecord, DamagedRecordError, readHeadRecord } from './file-head-record.ts'

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

test('the line of a checkpoint is on the disk before it counts as kept', async () => {
  const directory = await aDirectory()
  const record = createFileHeadRecord(directory)
  onTestFinished(record.close)
  const path = join(directory, 'ledger-checkpoints.jsonl')
  const probe = await open(path, 'a')
  const synced: string[] = []
  const sync = vi.spyOn(Object.getPrototypeOf(probe), 'sync').mockImplementation(async () => {
    synced.push(await readFile(path, 'utf8'))
  })
  onTestFinished(() => sync.mockRestore())
  await probe.close()
  await record.keepCheckpoint({ sequence: 1 })
  await record.keepCheckpoint({ sequence: 2 })
  expect(synced).toEqual(['{"sequence":1}\n', '{"sequence":1}\n{"sequence":2}\n'])
})

test.each(['{"sequence":7,"entry', '\0'.repeat(128), 'null', '{"sequence":"7"}'])(
  'a record that is damaged is told as that, by its file: %j',
  async (content) => {
    const directory = await aDirectory()
    const path = join(directory, 'ledger-head.json')
    await writeFile(path, content)
    expect(() => readHeadRecord(directory)).toThrow(`${path} is damaged`)
    expect(() => createFileHeadRecord(directory)).toThrow(DamagedRecordError)
  },
)

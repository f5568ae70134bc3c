import { appendFile, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal } from './journal.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-journal-'))
})
afterEach(() => rm(directory, { recursive: true }))

const open = () => openJournal<string, number>(directory)

async function reloaded() {
  const journal = await open()
  const loaded = await journal.load()
  await journal.close()
  return loaded
}

test('what was appended is there after a restart, in order', async () => {
  const journal = await open()
  for (const entry of [1, 2, 3]) await journal.append(entry)
  await journal.close()
  expect(await reloaded()).toEqual({ snapshot: null, entries: [1, 2, 3] })
})

test('a line that was never finished is cut off, and what follows is kept', async () => {
  const journal = await open()
  await journal.append(1)
  await journal.append(222)
  await journal.close()
  await appendFile(join(directory, '0.entries'), '"torn')
  const again = await open()
  expect((await again.load()).entries).toEqual([1, 222])
  await again.append(3)
  await again.close()
  await truncate(join(directory, '0.entries'), '1\n222\n3\n'.length - 1)
  expect((await reloaded()).entries).toEqual([1, 222])
})

test('damage before the last line is not passed over in silence', async () => {
  await writeFile(join(directory, '0.entries'), '1\n2"\n3\n')
  await expect(open()).rejects.toThrow('damaged in line 2')
})

test('a load begins with the snapshot before the newest one', async () => {
  const journal = await open()
  await journal.append(1)
  await journal.keep('after 1', 10)
  await journal.append(2)
  expect(await journal.load()).toEqual({ snapshot: null, entries: [1, 2] })
  await journal.keep('after 2', 20)
  await journal.append(3)
  expect(await journal.load()).toEqual({ snapshot: 'after 1', entries: [2, 3] })
  await journal.close()
  expect(await reloaded()).toEqual({ snapshot: 'after 1', entries: [2, 3] })
  expect(await readdir(directory)).not.toContain('0.entries')
})

test('a withdrawn snapshot is never begun from', async () => {
  const journal = await open()
  await journal.append(1)
  await journal.keep('after 1', 10)
  await journal.append(2)
  await journal.keep('after 2', 20)
  expect(journal.mark()).toBe(20)
  expect(await journal.withdraw()).toBe(true)
  expect(journal.mark()).toBe(10)
  expect(await journal.withdraw()).toBe(false)
  await journal.append(3)
  await journal.keep('after 3', 20)
  await journal.append(4)
  await journal.close()
  expect(await reloaded()).toEqual({ snapshot: 'after 1', entries: [2, 3, 4] })
})

test('a snapshot whose entries file was not yet made is the newest one all the same', async () => {
  const journal = await open()
  await journal.append(1)
  await journal.close()
  await writeFile(join(directory, '1.at-10.snapshot'), '"after 1"')
  expect(await reloaded()).toEqual({ snapshot: null, entries: [1] })
})

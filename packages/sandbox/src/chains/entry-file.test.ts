import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readEntries } from './entry-file.ts'

const run = promisify(execFile)

/** Appends lines in a process whose files may not grow beyond a kilobyte or two; prints how many were acknowledged. */
const appending = (path: string): string => `
  const { entryFile } = await import(${JSON.stringify(new URL('./entry-file.ts', import.meta.url))})
  const file = await entryFile(${JSON.stringify(path)})
  let kept = 0
  for (let full = false; !full; ) {
    await file.append(JSON.stringify('x'.repeat(300))).then(() => kept++, () => (full = true))
  }
  await file.append('"short"').then(() => kept++, () => {})
  console.log(kept)`

test('a line of which only the beginning found room is not acknowledged, and every other one is there', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-entries-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, '0.entries')
  const limited = ['-c', 'ulimit -f 2; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', appending(path)]
  const { stdout } = await run('/bin/sh', limited)
  const kept = Number(stdout)
  expect(kept).toBeGreaterThan(1)
  expect(await readEntries(path)).toHaveLength(kept)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const RUN = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url))

test('a program that a signal ends is reported with that signal', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-run-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'ends.ts')
  await writeFile(file, 'setInterval(() => {}, 1_000)\nprocess.kill(process.pid, process.argv[2])\n')
  const codes = await Promise.all(
    ['SIGHUP', 'SIGINT', 'SIGTERM'].map(async (signal) => {
      const [code] = await once(spawn(process.execPath, [RUN, file, signal], { stdio: 'ignore' }), 'exit')
      return code
    }),
  )
  expect(codes).toEqual([129, 130, 143])
})

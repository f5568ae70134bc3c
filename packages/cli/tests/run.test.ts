import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { runNode } from './support/run-node.ts'

const RUN = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url))
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

test.each([
  ['sandbox', ['PORT', 'HOST', 'GUILDHALL_DATA_DIR', 'DATABASE_URL']],
  ['serve', ['docs/operating.md']],
])('the help of %s names its settings, or where they are explained', async (command, settings) => {
  const { stdout } = await runNode([MAIN, command, '--help'], {})
  expect(settings.filter((name) => !stdout.includes(name))).toEqual([])
})

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

test('a program that npm runs ends when npm has been ended', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-run-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'runs.ts')
  await writeFile(file, 'setInterval(() => {}, 1_000)\nconsole.log(process.pid)\n')
  const env = { ...process.env, npm_lifecycle_event: 'start' }
  const shell = spawn('sh', ['-c', '"$0" "$1" "$2"; true', process.execPath, RUN, file], { env })
  const ended = once(shell.stdout, 'close')
  const [pid] = await once(shell.stdout, 'data')
  shell.kill('SIGTERM')
  await ended
  // Its output is closed a moment before it is gone.
  await expect.poll(() => isAlive(Number(pid))).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

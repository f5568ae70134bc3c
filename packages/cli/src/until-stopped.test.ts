import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = `
import { untilStopped } from '${join(import.meta.dirname, 'until-stopped.ts')}'
const working = setInterval(() => {}, 1_000)
const stopped = untilStopped()
process.stdout.write('waiting')
await stopped
clearInterval(working)
`

async function waiting(stdin: number | 'pipe'): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: [stdin, 'pipe', 'inherit'],
    env: { ...process.env, GUILDHALL_PARENT_PIPE: '1' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const told = child.stdout ? once(child.stdout, 'data') : null
  expect(String(await Promise.race([told, once(child, 'exit')]))).toBe('waiting')
  return child
}

test('a process that was to watch its parent ends with the pipe from it', async () => {
  const child = await waiting('pipe')
  child.stdin?.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('a process that was to watch its parent, and has a file as its input, ends when it is told to', async () => {
  const file = openSync(import.meta.filename, 'r')
  onTestFinished(() => closeSync(file))
  const child = await waiting(file)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

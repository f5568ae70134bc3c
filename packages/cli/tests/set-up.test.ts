import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readText, root } from './support/readme.ts'

/** Notes that it runs, and ends once it may. */
const NPM = `#!/bin/sh
echo "$1" >> calls
until [ -e may-end ]; do sleep 0.1; done
mkdir node_modules
`
const SET_UP = 'import("./scripts/set-up.mjs").then(({ ensureInstalled }) => ensureInstalled())'

test.skipIf(process.platform === 'darwin')(
  'two commands at once in a fresh clone install the packages once',
  async () => {
    const clone = await mkdtemp(join(tmpdir(), 'guildhall-set-up-'))
    onTestFinished(() => rm(clone, { recursive: true }))
    await cp(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true })
    await writeFile(join(clone, 'package-lock.json'), '{}')
    await writeFile(join(clone, 'npm'), NPM, { mode: 0o755 })
    const setUp = () =>
      spawn(process.execPath, ['--eval', SET_UP], {
        cwd: clone,
        env: { PATH: `${clone}${delimiter}${process.env.PATH}` },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    const calls = () => readFile(join(clone, 'calls'), 'utf8').catch(() => '')

    const first = setUp()
    await expect.poll(calls).toBe('install\n')
    const second = setUp()
    const ended = Promise.all([first, second].map((child) => once(child, 'exit')))
    const [said] = await once(second.stderr, 'data')
    await writeFile(join(clone, 'may-end'), '')
    expect((await ended).map(([code]) => code)).toEqual([0, 0])
    expect(String(said)).toBe('Another command is installing the packages: waiting for it …\n')
    expect(await calls()).toBe('install\n')
  },
)

test('every command of a fresh clone installs the packages first', async () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> }
  const first = Object.values(scripts).map((command) => /^node (scripts\/\S+\.mjs)/.exec(command)?.[1] ?? command)
  const files = [...new Set(first)]
  expect(files).toEqual(['scripts/run.mjs', 'scripts/test.mjs', 'scripts/install.mjs'])
  expect(files.filter((file) => !readText(file).includes('await ensureInstalled()'))).toEqual([])
})

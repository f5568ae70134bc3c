import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const FILE = fileURLToPath(new URL('./create-log.ts', import.meta.url))

/** The lines that a process leaves behind, however it ends. */
function linesOf(code: string): readonly Record<string, unknown>[] {
  const script = `import { createLog } from ${JSON.stringify(FILE)}; const log = createLog('info'); ${code}`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('what looks like a secret is not written, and every line is there when the process ends', () => {
  const said = linesOf(`
    const answer = { token: 'hidden', caller: { signature: 'hidden', name: 'shown' } }
    log.info('first', answer)
    log.info('last')
    process.exit(1)`)
  const answer = { token: '[redacted]', caller: { signature: '[redacted]', name: 'shown' } }
  expect(said).toMatchObject([
    { level: 'info', msg: 'first', ...answer },
    { level: 'info', msg: 'last' },
  ])
})

test('a warning or an alarm is written at once, with everything before it', () => {
  const said = linesOf(`
    log.info('before')
    log.warn('warned')
    log.alarm('alarmed')
    log.info('after')
    process.kill(process.pid, 'SIGKILL')`)
  expect(said).toMatchObject([{ msg: 'before' }, { msg: 'warned' }, { msg: 'alarmed', level: 'error', alarm: true }])
})

test('on a full disk lines are lost, and nothing else', () => {
  const script = `import { createLog } from ${JSON.stringify(FILE)}; const log = createLog('info')
    log.warn('warned')
    for (let line = 0; line < 1_000; line++) log.info('told', { line })
    setTimeout(() => log.alarm('alarmed'), 300)
    setTimeout(() => console.error('still here'), 400)`
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
    timeout: 120_000,
  })
  closeSync(full)
  expect([status, stderr]).toEqual([0, 'still here\n'])
})

import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { findProcess, isLiving, processesNaming, readPs } from './processes.ts'

test('a process is found by its pid and by its command line, until it ends', async () => {
  const seconds = `4321.${randomInt(10 ** 9)}1`
  const child = spawn('sleep', [seconds], { stdio: 'ignore' })
  const pid = child.pid ?? 0
  await once(child, 'spawn')
  expect(findProcess(pid)).toMatchObject({ pid, zombie: false, command: `sleep ${seconds}` })
  expect(processesNaming(`sleep ${seconds}`).map((found) => found.pid)).toEqual([pid])
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isLiving(pid)).toBe(false)
})

test('a pid alone does not make it the same process', () => {
  const self = findProcess(process.pid)
  expect(isLiving(process.pid, self?.birth)).toBe(true)
  expect(isLiving(process.pid, 'another birth')).toBe(false)
})

test('ps tells the same processes', () => {
  const self = readPs().find((found) => found.pid === process.pid)
  expect(self).toMatchObject({ zombie: false })
  expect(self?.birth).toMatch(/^\w{3} \w{3} +\d+ [\d:]{8} \d{4}$/)
})

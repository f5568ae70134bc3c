import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, keepPort } from './free-port.ts'

const COUNT = 120
const taken = async (): Promise<readonly number[]> => {
  const ports: number[] = []
  while (ports.length < COUNT) ports.push(await freePort())
  return ports
}

/** Another process that takes as many, says which, and lives on. */
async function takenElsewhere(): Promise<readonly number[]> {
  const program = `
    import { freePort } from ${JSON.stringify(new URL('free-port.ts', import.meta.url).href)}
    const ports = []
    while (ports.length < ${COUNT}) ports.push(await freePort())
    console.log(JSON.stringify(ports))
    setInterval(() => {}, 1_000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  for await (const line of createInterface(child.stdout)) return JSON.parse(line)
  throw new Error('It said nothing.')
}

test('no port is given twice, not even to another process that has not listened on it yet', async () => {
  const ports = (await Promise.all([taken(), taken(), takenElsewhere()])).flat()
  expect(new Set(ports).size).toBe(3 * COUNT)
})

test('a port that is kept, or that somebody listens on, is not given', async () => {
  const [first, second] = [await freePort(), await freePort()]
  const [kept, used] = [Math.min(first, second) - 1, Math.min(first, second) - 2]
  keepPort(kept)
  const server = createServer()
    .listen(used, '127.0.0.1')
    .on('error', () => {})
  onTestFinished(() => void server.close())
  const ports = await taken()
  expect(ports).not.toContain(kept)
  expect(ports).not.toContain(used)
})

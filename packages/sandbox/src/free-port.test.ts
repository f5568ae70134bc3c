import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, takeBack } from './free-port.ts'

const COUNT = 120
const taken = async (): Promise<readonly number[]> => {
  const ports: number[] = []
  while (ports.length < COUNT) ports.push(await freePort())
  return ports
}

/** Another process that takes as many, says which, and lives on until the test ends, or it is told to. */
async function takenElsewhere() {
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
  const [line] = await once(createInterface(child.stdout), 'line')
  const ports: readonly number[] = JSON.parse(line)
  const end = async () => {
    child.kill()
    await once(child, 'exit')
  }
  return { ports, end }
}

test('no port is given twice, not even to another process that has not listened on it yet', async () => {
  const [elsewhere, ...here] = await Promise.all([takenElsewhere(), taken(), taken()])
  const ports = [elsewhere.ports, ...here].flat()
  expect(new Set(ports).size).toBe(3 * COUNT)
})

test('a port that somebody listens on is not given', async () => {
  const [first, second] = [await freePort(), await freePort()]
  const used = Math.min(first, second) - 1
  const server = createServer()
    .listen(used, '127.0.0.1')
    .on('error', () => {})
  onTestFinished(() => void server.close())
  expect(await taken()).not.toContain(used)
})

test('the ports of an earlier process are taken back once it has ended, all of them, and not given to anybody else', async () => {
  const elsewhere = await takenElsewhere()
  const [first = 0, second = 0] = elsewhere.ports
  expect(await takeBack(first)).toBe(false)
  await elsewhere.end()
  expect(await Promise.all([takeBack(first), takeBack(second)])).toEqual([true, true])
  expect((await takenElsewhere()).ports).not.toContain(first)
  expect(await taken()).not.toContain(first)
})

test('a port that is taken back before it was given is not given any more', async () => {
  let next = (await freePort()) - 1
  // The first port of a slice is never given.
  while (next % 100 === 0) next = (await freePort()) - 1
  const isBack = await takeBack(next)
  expect(await taken()).not.toContain(next)
  expect(isBack).toBe(true)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { ONE_USDC } from '@guildhall/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, startBench } from './test-bench.ts'

let bench: Bench

beforeAll(async () => {
  bench = await startBench()
})

afterAll(() => bench.stop())

test('killed, it comes back on the same port with its fault, the calls left to it and its clock', async () => {
  const { facilitator } = bench
  await facilitator.setClockOffset(-3_600_000)
  await facilitator.failWith('lies_settled', 2)
  const early = await bench.payment({ validAfter: Math.floor(Date.now() / 1000) - 60 })
  expect(await bench.call('settle', early.body)).toMatchObject({ body: { success: true } })
  await killAndAwaitReturn()
  expect(await bench.call('verify', early.body)).toMatchObject({
    body: { isValid: false, invalidReason: 'invalid_exact_evm_payload_authorization_valid_after' },
  })
  await facilitator.setClockOffset(0)
  expect(await bench.call('settle', early.body)).toMatchObject({ body: { success: true } })
  expect(await bench.balanceOf(early.payTo)).toBe(0n)
  expect(await bench.call('settle', early.body)).toMatchObject({ body: { success: true } })
  expect(await bench.balanceOf(early.payTo)).toBe(ONE_USDC)
})

test('an order given while it is dead is in force when it is back', async () => {
  process.kill(bench.facilitator.pid() ?? 0, 'SIGKILL')
  await bench.facilitator.failWith('lies_settled', 1)
  const { payTo, body } = await bench.payment()
  expect(await bench.call('settle', body)).toMatchObject({ body: { success: true } })
  expect(await bench.balanceOf(payTo)).toBe(0n)
})

test('the clock that was moved by eight days is followed', async () => {
  const days = 8 * 24 * 3600
  const then = Math.floor(Date.now() / 1000) + days
  const { payTo, body } = await bench.payment({ validAfter: then - 60, validBefore: then + 600 })
  expect(await bench.call('verify', body)).toMatchObject({
    body: { isValid: false, invalidReason: 'invalid_exact_evm_payload_authorization_valid_after' },
  })
  await bench.moveChainClock(days * 1000)
  await bench.facilitator.setClockOffset(days * 1000)
  expect(await bench.call('verify', body)).toMatchObject({ body: { isValid: true } })
  expect(await bench.call('settle', body)).toMatchObject({ body: { success: true } })
  expect(await bench.balanceOf(payTo)).toBe(ONE_USDC)
})

test('it ends with its parent, however that ends', async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', parentOfAFacilitator], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: parent.stdout }), 'line')
  const pid = Number(line)
  expect(isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  await until(() => !isAlive(pid))
})

test('a start that cannot succeed is refused, and says why', async () => {
  const { startFacilitator } = await import('./start-facilitator.ts')
  const port = Number(new URL(bench.facilitator.url).port)
  const start = startFacilitator({
    networks: [],
    gasKey: `0x${'11'.repeat(32)}`,
    clockOffsetMs: 0,
    eip6492Factories: [],
    log: () => undefined,
    port,
  })
  await expect(start).rejects.toThrow(`address already in use 127.0.0.1:${port}`)
})

test('stopped, it is gone for good', async () => {
  const pid = bench.facilitator.pid() ?? 0
  await bench.facilitator.stop()
  expect(isAlive(pid)).toBe(false)
  expect(bench.facilitator.pid()).toBeNull()
})

const parentOfAFacilitator = `
  import { startFacilitator } from ${JSON.stringify(new URL('./start-facilitator.ts', import.meta.url).href)}
  const facilitator = await startFacilitator({
    networks: [], gasKey: '0x${'11'.repeat(32)}', clockOffsetMs: 0, eip6492Factories: [], log: console.error,
  })
  console.log(facilitator.pid())
`

async function killAndAwaitReturn(): Promise<void> {
  process.kill(bench.facilitator.pid() ?? 0, 'SIGKILL')
  await until(() => bench.facilitator.pid() === null)
  await until(() => bench.facilitator.pid() !== null)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

import { ONE_USDC } from '@guildhall/protocol'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Bench, startBench } from './test-bench.ts'

let bench: Bench

beforeAll(async () => {
  bench = await startBench()
})

afterEach(() => bench.facilitator.failWith('ok'))

afterAll(() => bench.stop())

test('down: neither verify nor settle is answered, until the counted calls are spent', async () => {
  const { payTo, body } = await bench.payment()
  await bench.facilitator.failWith('down', 2)
  await expect(bench.call('verify', body)).rejects.toThrow('fetch failed')
  await expect(bench.call('settle', body)).rejects.toThrow('fetch failed')
  expect(await bench.balanceOf(payTo)).toBe(0n)
  expect(await bench.call('settle', body)).toMatchObject({ status: 200, body: { success: true } })
})

test('down: nothing else answers either', async () => {
  await bench.facilitator.failWith('down')
  for (const path of ['/supported', '/health']) await expect(fetch(bench.facilitator.url + path)).rejects.toThrow()
})

test.each(['verify', 'settle'] as const)('slow: a %s call is held, and then works as ever', async (path) => {
  const calls = [await bench.payment(), await bench.payment()].map((payment) => ({ ...payment, answered: false }))
  await bench.facilitator.failWith('slow', 1)
  const answers = calls.map((call) =>
    bench.call(path, call.body).finally(() => {
      call.answered = true
    }),
  )
  await Promise.race(answers)
  const held = calls.filter(({ answered }) => !answered)
  expect(held).toHaveLength(1)
  for (const { payTo } of held) expect(await bench.balanceOf(payTo)).toBe(0n)
  await bench.facilitator.failWith('ok')
  expect((await Promise.all(answers)).map(({ body }) => body[path === 'verify' ? 'isValid' : 'success'])).toEqual([
    true,
    true,
  ])
})

test('settle_reverts: the transaction really reverts and nothing moves', async () => {
  const { payTo, body } = await bench.payment()
  await bench.facilitator.failWith('settle_reverts', 1)
  expect(await bench.call('verify', body)).toMatchObject({ status: 200, body: { isValid: true } })
  const refused = await bench.call('settle', body)
  expect(refused).toMatchObject({
    status: 200,
    body: { success: false, errorReason: 'invalid_exact_evm_transaction_failed' },
  })
  const hash = refused.body.transaction as `0x${string}`
  expect(await bench.client.getTransactionReceipt({ hash })).toMatchObject({ status: 'reverted' })
  expect(await bench.balanceOf(payTo)).toBe(0n)
  expect(await bench.call('settle', body)).toMatchObject({ body: { success: true } })
})

test('response_lost: the money moves and no answer comes', async () => {
  const { payTo, body } = await bench.payment()
  await bench.facilitator.failWith('response_lost')
  expect(await bench.call('verify', body)).toMatchObject({ status: 200, body: { isValid: true } })
  await expect(bench.call('settle', body)).rejects.toThrow('fetch failed')
  expect(await bench.balanceOf(payTo)).toBe(ONE_USDC)
})

test('lies_settled: success is claimed with a transaction that does not exist', async () => {
  const { payTo, body } = await bench.payment()
  await bench.facilitator.failWith('lies_settled', 1)
  expect(await bench.call('verify', body)).toMatchObject({ body: { isValid: true } })
  const claimed = await bench.call('settle', body)
  expect(claimed).toMatchObject({
    status: 200,
    body: { success: true, network: bench.network, payer: bench.payer.address },
  })
  const hash = claimed.body.transaction as `0x${string}`
  await expect(bench.client.getTransaction({ hash })).rejects.toThrow('could not be found')
  expect(await bench.balanceOf(payTo)).toBe(0n)
})

test('lies_failed: the money moves and failure is claimed', async () => {
  const { payTo, body } = await bench.payment()
  await bench.facilitator.failWith('lies_failed')
  expect(await bench.call('verify', body)).toMatchObject({ body: { isValid: true } })
  expect(await bench.call('settle', body)).toMatchObject({ status: 200, body: { success: false, transaction: '' } })
  expect(await bench.balanceOf(payTo)).toBe(ONE_USDC)
})

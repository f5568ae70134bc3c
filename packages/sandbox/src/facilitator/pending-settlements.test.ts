import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPendingSettlements } from './pending-settlements.ts'
import { type Bench, startBench } from './test-bench.ts'

let bench: Bench

beforeAll(async () => {
  bench = await startBench()
})

afterAll(() => bench.stop())

test('a transaction is waited for as long as the node knows it or cannot be asked', async () => {
  const { body } = await bench.payment()
  const hash = (await bench.call('settle', body)).body.transaction as string
  const pending = createPendingSettlements(createPublicClient({ transport: http(bench.relay.url, { retryCount: 0 }) }))
  await pending.set('known', hash)
  expect(await pending.get('known')).toBe(hash)
  await pending.set('dropped', `0x${'ab'.repeat(32)}`)
  expect(await pending.get('dropped')).toBeUndefined()
  bench.chain.failWith('down')
  expect(await pending.get('dropped')).toBe(`0x${'ab'.repeat(32)}`)
})

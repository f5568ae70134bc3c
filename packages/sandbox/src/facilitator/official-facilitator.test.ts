import { ONE_USDC } from '@guildhall/protocol'
import { HTTPFacilitatorClient } from '@x402/core/http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Bench, startBench } from './test-bench.ts'

let bench: Bench

beforeAll(async () => {
  bench = await startBench()
})

afterEach(() => {
  bench.chain.failWith('ok')
  bench.relay.turn('faithful')
})

afterAll(() => bench.stop())

test('the official client finds the network and the gas wallet', async () => {
  const client = new HTTPFacilitatorClient({ url: bench.facilitator.url })
  expect(await client.getSupported()).toMatchObject({
    kinds: [{ x402Version: 2, scheme: 'exact', network: bench.network }],
    signers: { 'eip155:*': [bench.facilitator.address] },
  })
})

test('a payment that is verified and settled by the official client moves the money', async () => {
  const client = new HTTPFacilitatorClient({ url: bench.facilitator.url })
  const { payTo, body } = await bench.payment()
  const verified = await client.verify(body.paymentPayload, body.paymentRequirements)
  expect(verified).toMatchObject({ isValid: true, payer: bench.payer.address })
  const settled = await client.settle(body.paymentPayload, body.paymentRequirements)
  expect(settled).toMatchObject({ success: true, payer: bench.payer.address, network: bench.network })
  const hash = settled.transaction as `0x${string}`
  expect(await bench.client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  expect(await bench.balanceOf(payTo)).toBe(ONE_USDC)
})

test('ten payments settled at once all succeed', async () => {
  const payments = await Promise.all(Array.from({ length: 10 }, () => bench.payment()))
  const answers = await Promise.all(payments.map(({ body }) => bench.call('settle', body)))
  expect(answers.map(({ body }) => body.success)).toEqual(Array(10).fill(true))
  for (const { payTo } of payments) expect(await bench.balanceOf(payTo)).toBe(ONE_USDC)
})

test.each(['eip155:137', 'eip155:5042'])('a payment on %s moves the money too', async (network) => {
  const other = await startBench(network)
  try {
    const { payTo, body } = await other.payment()
    expect(await other.call('verify', body)).toMatchObject({ body: { isValid: true } })
    expect(await other.call('settle', body)).toMatchObject({ body: { success: true } })
    expect(await other.balanceOf(payTo)).toBe(ONE_USDC)
  } finally {
    await other.stop()
  }
})

test('a bad signature is reported as such', async () => {
  const { body } = await bench.payment()
  const { body: other } = await bench.payment()
  body.paymentPayload.payload.signature = other.paymentPayload.payload.signature
  expect(await bench.call('verify', body)).toMatchObject({
    status: 200,
    body: { isValid: false, invalidReason: 'invalid_exact_evm_signature' },
  })
})

test('an unreachable node is no verdict on the payment, and the process lives on', async () => {
  const { payTo, body } = await bench.payment()
  const pid = bench.facilitator.pid()
  bench.chain.failWith('down')
  for (const path of ['verify', 'settle'] as const) {
    expect(await bench.call(path, body)).toMatchObject({ status: 503, body: { error: 'unavailable' } })
  }
  bench.chain.failWith('ok')
  expect(await bench.call('settle', body)).toMatchObject({ status: 200, body: { success: true } })
  expect(await bench.balanceOf(payTo)).toBe(ONE_USDC)
  expect(bench.facilitator.pid()).toBe(pid)
})

test('an error of the node is no verdict either', async () => {
  const { payTo, body } = await bench.payment()
  bench.relay.turn('stumbles')
  for (const path of ['verify', 'settle'] as const) expect(await bench.call(path, body)).toMatchObject({ status: 503 })
  expect(await bench.balanceOf(payTo)).toBe(0n)
})

test('while a killed node restarts, the payment is not called invalid', async () => {
  const { body } = await bench.payment()
  process.kill(bench.chain.pid() ?? 0, 'SIGKILL')
  let answer = await bench.call('verify', body)
  while (answer.status === 503) answer = await bench.call('verify', body)
  expect(answer).toMatchObject({ status: 200, body: { isValid: true } })
})

test('a broadcast whose answer was lost is not called a failure, and the next one goes through', async () => {
  const lost = await bench.payment()
  const next = await bench.payment()
  bench.relay.turn('forgets')
  expect(await bench.call('settle', lost.body)).toMatchObject({ status: 503 })
  expect(await bench.balanceOf(lost.payTo)).toBe(ONE_USDC)
  bench.relay.turn('faithful')
  expect(await bench.call('settle', next.body)).toMatchObject({ status: 200, body: { success: true } })
})

test('what is no payment is refused without a verdict from the chain', async () => {
  const { body } = await bench.payment()
  const refused = { status: 400, body: { isValid: false, invalidReason: 'invalid_payload' } }
  expect(await bench.call('verify', '{')).toEqual(refused)
  expect(await bench.call('verify', {})).toEqual(refused)
  body.paymentPayload.payload.authorization.value = 'much'
  expect(await bench.call('verify', body)).toEqual(refused)
  expect(await bench.call('settle', body)).toMatchObject({ status: 400, body: { success: false } })
})

test('a network that is not served is refused', async () => {
  const { body } = await bench.payment()
  body.paymentRequirements.network = 'eip155:1'
  expect(await bench.call('verify', body)).toMatchObject({ body: { isValid: false, invalidReason: 'invalid_network' } })
  expect(await bench.call('settle', body)).toMatchObject({ body: { success: false, errorReason: 'invalid_network' } })
})

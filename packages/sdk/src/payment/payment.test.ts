import {
  HOUR,
  judgePayment,
  MINUTE,
  type PaymentRequirements,
  parsePaymentHeader,
  tokenDomain,
  typedTransfer,
} from '@guildhall/protocol'
import { recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  clientOf,
  failureOf,
  NOW,
  refusal,
  type SeenRequest,
  scriptedService,
} from '../../tests/support/scripted-service.ts'
import type { Wallet } from '../index.ts'

const account = privateKeyToAccount(`0x${'4a'.repeat(32)}`)
const requirements: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '5000000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: `0x${'e5'.repeat(20)}`,
  maxTimeoutSeconds: 3600,
  extra: { name: 'Play USD', version: '2' },
}
const asks = (changes: Partial<PaymentRequirements> = {}) =>
  refusal(402, 'payment_required', {
    x402Version: 2,
    resource: { url: 'http://x/v1/tasks', description: 'a task', mimeType: 'application/json' },
    accepts: [{ ...requirements, ...changes }],
  })
const task = { title: 'Count', description: 'to ten', bounty: { amount: '5000000', network: 'eip155:8453' } }
const posted = { body: { ok: true, task_id: 'task_1', status: 'open' } }
const paying = { wallet: account, maxUsdc: '5' }
const paymentOf = (request: SeenRequest | undefined) => request?.headers['payment-signature']

test('a payment is dated by the service’s clock: the Date of a 402 corrects a local clock that is clearly off', async () => {
  const validBeforeAt = async (date: number) => {
    const service = await scriptedService({ ...asks(), headers: { Date: new Date(date).toUTCString() } }, posted)
    await clientOf(service, paying).call('hireUsd5', { body: { title: 'Count', description: 'to ten' } })
    const parsed = parsePaymentHeader(paymentOf(service.seen[1]) ?? '')
    return 'payload' in parsed ? Number(parsed.payload.authorization.validBefore) : parsed.problem
  }
  expect(await validBeforeAt(NOW + 2 * HOUR)).toBe((NOW + 2 * HOUR) / 1000 + 3540)
  expect(await validBeforeAt(NOW - 2 * HOUR)).toBe((NOW - 2 * HOUR) / 1000 + 3540)
  expect(await validBeforeAt(NOW + MINUTE)).toBe(NOW / 1000 + 3540)
})

test('a Date header does not change a clock that server_time has corrected', async () => {
  const skewed = refusal(401, 'timestamp_out_of_range', { server_time: NOW / 1000 + 7200 })
  const service = await scriptedService(skewed, asks(), posted)
  await clientOf(service, paying).tasks.post(task)
  const parsed = parsePaymentHeader(paymentOf(service.seen[2]) ?? '')
  if (!('payload' in parsed)) throw new Error(parsed.problem)
  expect(parsed.payload.authorization.validBefore).toBe(BigInt(NOW / 1000 + 7200 + 3540))
})

test('a 402 is paid once with what accepts[0] asks, and the very same request is sent again with the payment', async () => {
  const service = await scriptedService(asks(), posted)
  expect(await clientOf(service, paying).tasks.post(task)).toMatchObject({ task_id: 'task_1' })
  const [first, second] = service.seen
  expect(second?.body).toBe(first?.body)
  expect(second?.headers.authorization).toBe(first?.headers.authorization)
  expect(paymentOf(first)).toBeUndefined()

  const parsed = parsePaymentHeader(paymentOf(second) ?? '')
  if (!('payload' in parsed)) throw new Error(parsed.problem)
  const { payload: payment } = parsed
  expect(judgePayment({ payment, requirements, now: NOW })).toBeNull()
  expect(payment.authorization).toMatchObject({ validAfter: 0n, validBefore: BigInt(NOW / 1000 + 3540) })
  const domain = tokenDomain({ ...requirements, ...requirements.extra })
  const signer = await recoverTypedDataAddress({
    ...typedTransfer(payment.authorization, domain),
    signature: payment.signature,
  })
  expect(signer).toBe(account.address)
})

test('the time of a payment is the service’s', async () => {
  const skewed = refusal(401, 'timestamp_out_of_range', { server_time: NOW / 1000 + 86_400 })
  const service = await scriptedService(skewed, asks(), posted)
  await clientOf(service, paying).tasks.post(task)
  const parsed = parsePaymentHeader(paymentOf(service.seen[2]) ?? '')
  expect('payload' in parsed && parsed.payload.authorization.validBefore).toBe(BigInt(NOW / 1000 + 86_400 + 3540))
})

test('after a payment was sent and its answer lost, the identical payment goes with the identical request', async () => {
  const service = await scriptedService(
    asks(),
    'drop',
    refusal(503, 'facilitator_unavailable', { cause: 'down' }),
    posted,
  )
  await clientOf(service, paying).tasks.post(task)
  const [, first, ...repeats] = service.seen
  expect(repeats.map(paymentOf)).toEqual([paymentOf(first), paymentOf(first)])
  expect(repeats.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill(first?.headers.authorization))
})

const unsure = refusal(503, 'service_unavailable', { maybe_done: true })

test.each(['drop' as const, unsure])(
  'authorization_reused after a lost answer is success: the task is fetched',
  async (lost) => {
    const escrow = { status: 'funded', deposit_tx_hash: '0xabc', settle_error: null }
    const found = {
      task_id: 'task_9',
      status: 'open',
      payment_status: 'pending',
      bounty: null,
      escrow,
      claimable: true,
    }
    const reused = refusal(409, 'authorization_reused', { task_id: 'task_9' })
    const service = await scriptedService(asks(), lost, reused, { body: { ok: true, task: found } })
    expect(await clientOf(service, paying).tasks.post(task)).toEqual({
      ok: true,
      ...found,
      deposit_tx_hash: '0xabc',
      settle_error: null,
    })
    expect(service.seen[3]?.path).toBe('/v1/tasks/task_9')
  },
)

test('a hire whose answer was lost is never answered without its manage token: the error names the task', async () => {
  const reused = refusal(409, 'authorization_reused', { task_id: 'task_9' })
  const service = await scriptedService(asks(), 'drop', reused, { body: { ok: true, task: { task_id: 'task_9' } } })
  const error = await failureOf(
    clientOf(service, paying).call('hireUsd5', { body: { title: 'Count', description: 'to ten' } }),
  )
  expect(error).toMatchObject({ code: 'authorization_reused', fields: { task_id: 'task_9' } })
  expect(service.seen.length).toBe(3)
})

test('a bond whose answer was lost is known to be paid once its payment is on record', async () => {
  const service = await scriptedService(asks(), 'drop', refusal(409, 'authorization_reused', { task_id: null }))
  const error = await failureOf(clientOf(service, paying).call('postBond', { body: { slots: 5 } }))
  const payment = paymentOf(service.seen[1])
  expect(error).toMatchObject({ code: 'outcome_unknown', fields: { carried_out: 'yes', payment } })
})

test('authorization_reused without a lost answer is an error with the task that was paid', async () => {
  const service = await scriptedService(refusal(409, 'authorization_reused', { task_id: 'task_9' }))
  const error = await failureOf(clientOf(service, paying).tasks.post(task, { pay: { signed: 'kept' } }))
  expect(error).toMatchObject({ code: 'authorization_reused', fields: { task_id: 'task_9' } })
  expect(paymentOf(service.seen[0])).toBe('kept')
})

test('a second authorization is never signed for the same call', async () => {
  let signatures = 0
  const counting: Wallet = {
    address: account.address,
    signTypedData: (typed) => {
      signatures += 1
      return account.signTypedData(typed)
    },
  }
  for (const answer of [asks(), refusal(402, 'payment_invalid', { reason: 'bad_signature' })]) {
    const service = await scriptedService(asks(), answer, posted)
    const error = await failureOf(clientOf(service, { ...paying, wallet: counting }).tasks.post(task))
    expect(error).toMatchObject({ status: 402 })
    expect(service.seen.length).toBe(2)
  }
  expect(signatures).toBe(2)
})

test('when the outcome of a payment stays unknown, the error carries the payment for a later try', async () => {
  const service = await scriptedService(asks(), 'drop', 'drop', 'drop', 'drop', posted)
  const kept: string[] = []
  const client = clientOf(service, { ...paying, maxUsdc: undefined })
  const pay = { maxUsdc: '5.00', onSigned: (signed: string) => void kept.push(signed) }
  const error = await failureOf(client.tasks.post(task, { pay }))
  const payment = paymentOf(service.seen[1])
  expect(error).toMatchObject({ code: 'outcome_unknown', fields: { carried_out: 'perhaps', payment } })
  expect(kept).toEqual([payment])
  await client.tasks.post(task, { pay: { signed: kept[0] } })
  expect(paymentOf(service.seen[5])).toBe(payment)
})

test.each([{ status: 200, body: '{"ok":true,"task' }, { status: 500, body: 'oops' }, refusal(500, 'internal_error')])(
  'after an answer that does not tell the outcome (%j), the error carries the payment, so that no second one is signed',
  async (answer) => {
    const service = await scriptedService(asks(), ...Array(4).fill(answer))
    const error = await failureOf(clientOf(service, paying).tasks.post(task))
    const payment = paymentOf(service.seen[1])
    expect(payment).toBeDefined()
    expect(error).toMatchObject({ code: 'outcome_unknown', fields: { carried_out: 'perhaps', payment } })
    expect(new Set(service.seen.slice(1).map(paymentOf))).toEqual(new Set([payment]))
  },
)

test('a refusal after a lost payment leaves the outcome unknown', async () => {
  const service = await scriptedService(asks(), 'drop', refusal(402, 'payment_invalid', { reason: 'already_used' }))
  expect(await failureOf(clientOf(service, paying).tasks.post(task))).toMatchObject({
    code: 'outcome_unknown',
    cause: { code: 'payment_invalid' },
  })
})

test('after a lost answer the request may be signed anew with the same payment, which can be spent only once', async () => {
  const late = refusal(401, 'timestamp_out_of_range', { server_time: NOW / 1000 + 90 })
  const service = await scriptedService(asks(), 'drop', late, posted)
  await clientOf(service, paying).tasks.post(task)
  expect(paymentOf(service.seen[3])).toBe(paymentOf(service.seen[1]))
  expect(service.seen[3]?.headers['x-timestamp']).toBe(String(NOW / 1000 + 90))
})

test('without a wallet the 402 is thrown unchanged', async () => {
  const service = await scriptedService(asks())
  const error = await failureOf(clientOf(service, { maxUsdc: '5' }).tasks.post(task))
  expect(error).toMatchObject({ code: 'payment_required', fields: { accepts: [requirements] } })
})

const refusing: Wallet = { address: account.address, signTypedData: () => Promise.reject(new Error('no')) }
test.each([
  ['no_limit', { maxUsdc: undefined }, {}],
  ['over_limit', { maxUsdc: '4.999999' }, {}],
  ['differs_from_bounty', { maxUsdc: '1000' }, { amount: '5000001' }],
  ['differs_from_bounty', {}, { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' }],
  ['unknown_asset', {}, { asset: `0x${'11'.repeat(20)}` }],
  ['unknown_network', {}, { network: 'eip155:5042' }],
  ['wallet_refused', { wallet: refusing }, {}],
])('nothing is paid: %s (%j, %j)', async (reason, options, changes) => {
  const service = await scriptedService(asks(changes))
  const error = await failureOf(clientOf(service, { ...paying, ...options }).tasks.post(task))
  expect(error).toMatchObject({ code: 'payment_not_made', fields: { reason } })
  expect(service.seen.length).toBe(1)
})

test.each([
  ['hire', { bounty_usdc: '4.99' }],
  ['hire', { bounty_usdc: 4.99 }],
  ['hire', { bounty_usdc: '5', network: 'eip155:137' }],
  ['hireUsd1', {}],
  ['hireUsd5', { network: 'eip155:137' }],
] as const)('for a hire nothing but the bounty that was offered is paid: %s %j', async (name, offered) => {
  const service = await scriptedService(asks())
  const body = { title: 'Count', description: 'to ten', ...offered }
  const error = await failureOf(clientOf(service, paying).call(name, { body }))
  expect(error).toMatchObject({ code: 'payment_not_made', fields: { reason: 'differs_from_bounty' } })
  expect(service.seen.length).toBe(1)
})

test.each([
  ['no bounty', { title: 'Count', description: 'to ten' }],
  ['no bounty, as null', { ...task, bounty: null }],
  ['a bounty that is signed at acceptance', { ...task, escrow: false }],
])('for a new task with %s nothing is paid, whatever the service asks for', async (_, body) => {
  const service = await scriptedService(asks(), posted)
  const error = await failureOf(clientOf(service, paying).tasks.post(body as typeof task))
  expect(error).toMatchObject({ code: 'payment_not_made', fields: { reason: 'differs_from_bounty' } })
  expect(service.seen.length).toBe(1)
})

test('a fixed price is the price even if no body was given', async () => {
  const service = await scriptedService(asks(), posted)
  const untyped = clientOf(service, paying).call as (name: string) => Promise<unknown>
  expect(await failureOf(untyped('hireUsd1'))).toMatchObject({ fields: { reason: 'differs_from_bounty' } })
})

test.each([
  ['hire', { bounty_usdc: '5.00' }],
  ['hire', { bounty_usdc: 5, network: 'eip155:8453' }],
  ['hire', {}],
  ['hireUsd5', {}],
] as const)('a hire is paid as offered: %s %j', async (name, offered) => {
  const service = await scriptedService(asks(), posted)
  await clientOf(service, paying).call(name, { body: { title: 'Count', description: 'to ten', ...offered } })
  expect(service.seen.length).toBe(2)
})

test('a token of a network that is not known is paid when the caller names it', async () => {
  const asset = `0x${'36'.repeat(20)}`
  const service = await scriptedService(asks({ network: 'eip155:5042', asset }), posted)
  const client = clientOf(service, { ...paying, usdcContracts: { 'eip155:5042': asset } })
  await client.tasks.post({ ...task, bounty: { amount: '5000000', network: 'eip155:5042' } })
  expect(service.seen.length).toBe(2)
})

test('a limit that is no amount is refused, not guessed', async () => {
  const service = await scriptedService(asks())
  await expect(clientOf(service, { ...paying, maxUsdc: '$5' }).tasks.post(task)).rejects.toThrow('maxUsdc')
})

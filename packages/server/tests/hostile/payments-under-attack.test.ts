import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { give, newWorker, type Player } from '../support/cast.ts'
import { timesPaid, usdcOf } from '../support/chain-calls.ts'
import { unsigned } from '../support/hires.ts'
import { askPrice, signPayment } from '../support/payments.ts'
import { outcomeOf, type RawRequest, send, signed } from '../support/raw.ts'
import { setStage } from '../support/stage.ts'
import { aBounty, aTask, claimAndDeliver } from '../support/tasks.ts'

const stage = setStage({ nodes: 2 })
const BOND = '/v1/agents/me/claim-bond'
const USD1 = '/v1/x402/tasks/usd-1'

/** An agent that can pay from the wallet to which it is paid. */
async function newPayer(): Promise<Player> {
  const agent = await newWorker(stage)
  await give(stage, agent.wallet.address, '100')
  return agent
}

describe('one authorization pays for one thing', () => {
  test('whatever it is shown for at once: a task, a hire, a bond, on two nodes', async () => {
    const payer = await newPayer()
    const task = { ...aTask, bounty: aBounty(1) }
    const { terms } = await askPrice(stage, payer, BOND, { slots: 1 })
    const { header } = await signPayment(stage, terms, payer.wallet)
    const requests: readonly (() => RawRequest)[] = [
      () => signed(stage, payer, 'POST', BOND, { slots: 1 }),
      () => signed(stage, payer, 'POST', '/v1/tasks', task),
      () => unsigned(USD1, aTask),
      () => unsigned('/v1/x402/tasks', { ...aTask, bounty_usdc: '1' }),
    ]
    const calls = [0, 1].flatMap((node) =>
      requests.map((request) => send(stage, request(), { headers: { 'PAYMENT-SIGNATURE': header }, node })),
    )
    const outcomes = (await Promise.all(calls)).map(outcomeOf).sort()
    expect(outcomes).toEqual(['200', ...Array.from({ length: 7 }, () => '409 authorization_reused')])
    await stage.runDue()
    expect(await timesPaid(stage.chain(), payer.wallet.address)).toBe(1)
    expect(await usdcOf(stage.chain(), payer.wallet.address)).toBe(99_000_000n)
  })

  test('and one bounty is paid by one authorization, though its poster signs several at once', async () => {
    const [poster, worker] = [await newPayer(), await newWorker(stage)]
    const { task_id: id } = await poster.client.tasks.post({ ...aTask, bounty: aBounty(5), escrow: false })
    await claimAndDeliver(worker, id)
    const path = `/v1/tasks/${id}/accept`
    const { terms } = await askPrice(stage, poster, path, {})
    const headers = await Promise.all([0, 1, 2, 3].map(() => signPayment(stage, terms, poster.wallet)))
    const calls = headers.map(({ header }, place) =>
      send(stage, signed(stage, poster, 'POST', path, {}), {
        headers: { 'PAYMENT-SIGNATURE': header },
        node: place % 2,
      }),
    )
    const answers = await Promise.all(calls)
    expect(answers.map(outcomeOf)).toEqual(['200', '200', '200', '200'])
    await stage.runDue()
    expect(await timesPaid(stage.chain(), poster.wallet.address)).toBe(1)
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })
})

describe('a hire is refused before anything is paid', () => {
  const paths = [USD1, '/v1/x402/tasks'] as const
  test.each([
    ['with a field that is not known', { ...aTask, bounty_usd: 5 }],
    ['with a field that every object has', JSON.parse('{"title":"a","description":"b","__proto__":{"x":1}}')],
    ['in the category of the house', { ...aTask, category: 'testing' }],
    ['with null for a body', null],
    ['with a list for a body', [aTask]],
    ['for no days', { ...aTask, expires_in_days: 0 }],
    ['for half a day', { ...aTask, expires_in_days: 1.5 }],
    ['for days in words', { ...aTask, expires_in_days: '7' }],
  ])('%s', async (_what, body) => {
    for (const path of paths) {
      expect(outcomeOf(await send(stage, unsigned(path, body)))).toBe('400 bad_request')
    }
  })

  test('for longer than ninety days', async () => {
    const body = { ...aTask, expires_in_days: 91 }
    expect(outcomeOf(await send(stage, unsigned(USD1, body)))).toBe('400 expiry_window_not_allowed')
  })

  test('with a bounty of its own where the price is fixed', async () => {
    expect(outcomeOf(await send(stage, unsigned(USD1, { ...aTask, bounty_usdc: 1 })))).toBe('400 bad_request')
  })

  test.each([
    0,
    -1,
    0.0000001,
    1e21,
    '1e3',
    '0x10',
    ' 5',
    '+5',
    '5.',
    '.5',
    '1_000',
    '5,00',
    '1000.000001',
    true,
    { usdc: 5 },
  ])('for %j USDC', async (bounty_usdc) => {
    const { status, body } = await send(stage, unsigned('/v1/x402/tasks', { ...aTask, bounty_usdc }))
    expect(status, JSON.stringify(body)).toBe(400)
  })
})

test('an Idempotency-Key of somebody else opens nothing', async () => {
  const [payer, thief] = [await newPayer(), await newPayer()]
  const key = randomUUID()
  const request = () => signed(stage, payer, 'POST', '/v1/tasks', aTask)
  const first = await send(stage, request(), { headers: { 'Idempotency-Key': key } })
  const second = await send(stage, signed(stage, thief, 'POST', '/v1/tasks', aTask), {
    headers: { 'Idempotency-Key': key },
  })
  expect([outcomeOf(first), outcomeOf(second)]).toEqual(['200', '200'])
  expect(second.body.task_id).not.toBe(first.body.task_id)
})

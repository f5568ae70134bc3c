import { exitNonce } from '@guildhall/protocol'
import { generatePrivateKey } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { newBuyer, newWallet, newWorker, type Player } from './support/cast.ts'
import { askPrice, pay, signPayment } from './support/payments.ts'
import { refusalOf } from './support/refusals.ts'
import { BASE, setStage } from './support/stage.ts'
import { aBounty, aTask, claimAndDeliver } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage()
let buyer: Player

beforeAll(async () => {
  buyer = await newBuyer(stage)
})

async function signedBy(wallet: Player['wallet']) {
  const asked = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty() })
  const payment = await signPayment(stage, asked.terms, wallet)
  const { from: payer, nonce, validBefore } = payment.authorization
  const outcome = () => stage.client().payments.outcome({ network: BASE, payer, nonce })
  return { asked, payment, outcome, payer, nonce, validBefore }
}

test('an authorization that was never shown, or was refused, is not found', async () => {
  const { asked, payment, outcome } = await signedBy(newWallet())
  const { message } = await refusalOf(outcome(), 'not_found')
  expect(message).toContain('ever been taken')
  expect((await pay(stage, asked, payment)).status).toBe(402)
  await refusalOf(outcome(), 'not_found')
})

test('a settled authorization tells what it paid for, and in which transaction', async () => {
  const { asked, payment, outcome, payer, nonce, validBefore } = await signedBy(buyer.wallet)
  const { body } = await pay(stage, asked, payment)
  expect(await outcome()).toEqual({
    network: BASE,
    payer: payer.toLowerCase(),
    nonce,
    state: 'settled',
    purpose: 'deposit',
    task_id: body.task_id,
    tx_hash: body.deposit_tx_hash,
    settled_at: expect.any(String),
    valid_before: new Date(Number(validBefore) * 1000).toISOString(),
    last_error: null,
  })
})

test('while it may have been sent, its state is unknown; it is dead once the chain has passed its end unused', async () => {
  const { asked, payment, outcome } = await signedBy(buyer.wallet)
  await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
  await pay(stage, asked, payment)
  expect(await outcome()).toMatchObject({ state: 'unknown', tx_hash: null, settled_at: null })
  expect((await outcome()).last_error).not.toBeNull()
  await stage.travel(3_100_000)
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  await until(outcome, ({ state }) => state === 'dead')
})

test('the exit of a deposit is found by its nonce, which anybody can derive', async () => {
  const worker = await newWorker(stage)
  const { asked, payment, payer, nonce } = await signedBy(buyer.wallet)
  const taskId = String((await pay(stage, asked, payment)).body.task_id)
  await claimAndDeliver(worker, taskId)
  const { payment_tx_hash } = await buyer.client.tasks.accept(taskId)
  const { asset, payTo } = asked.terms
  const exit = { network: BASE, payer: payTo, nonce: exitNonce({ network: BASE, asset, from: payer, nonce }) }
  const outcome = await stage.client().payments.outcome(exit)
  expect(outcome).toMatchObject({ state: 'settled', purpose: 'release', task_id: taskId, tx_hash: payment_tx_hash })
})

test('spelling in capitals finds the same', async () => {
  const { asked, payment, payer, nonce } = await signedBy(buyer.wallet)
  await pay(stage, asked, payment)
  const shouted = { network: BASE, payer, nonce: `0x${nonce.slice(2).toUpperCase()}` }
  expect((await stage.client().payments.outcome(shouted)).state).toBe('settled')
})

const PAYER = `0x${'ab'.repeat(20)}`
const NONCE = generatePrivateKey()

test.each([
  [`base/${PAYER}/${NONCE}`, 400],
  [`eip155:0/${PAYER}/${NONCE}`, 400],
  [`eip155:8453/${PAYER.slice(0, -1)}/${NONCE}`, 400],
  [`eip155:8453/${PAYER}/0x1234`, 400],
  [`eip155:8453/${PAYER}/${NONCE}`, 404],
  [`eip155%3A8453/${PAYER}/${NONCE}`, 404],
  [`eip155:10/${PAYER}/${NONCE}`, 404],
])('/v1/payments/%s is %i', async (path, status) => {
  expect((await fetch(`${stage.node().url}/v1/payments/${path}`)).status).toBe(status)
})

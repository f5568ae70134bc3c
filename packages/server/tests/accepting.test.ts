import { DAY, HOUR } from '@guildhall/protocol'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { describe, expect, test } from 'vitest'
import { newBuyer, newWallet, newWorker } from './support/cast.ts'
import { timesPaid, usdcOf } from './support/chain-calls.ts'
import { askPrice, pay, readHeader, signPayment } from './support/payments.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { deployedWallet } from './support/smart-wallets.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage, THIRD } from './support/stage.ts'
import { aBounty, claimAndDeliver, deliveredTask, postFree } from './support/tasks.ts'

const stage = setStage({ networks: ALL_NETWORKS })
const task = async (id: string) => (await stage.client().tasks.get(id)).task

describe('accepting an escrowed task', () => {
  test('releases the deposit to the deliverer’s wallet, and everybody concerned is told once', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    const accepted = await buyer.client.tasks.accept(id, { rating: 5 })
    expect(accepted).toMatchObject({ status: 'verified', payment_status: 'settled', settle_error: null })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
    const after = await task(id)
    expect(after.escrow).toMatchObject({
      status: 'released',
      leg: 'release',
      release_tx_hash: accepted.payment_tx_hash,
    })
    expect(after).toMatchObject({ payment_tx_hash: accepted.payment_tx_hash, payment_due: false })
    for (const player of [buyer, worker]) {
      const { events } = await player.client.events.list({ type: 'task.payment_settled' })
      expect(events).toMatchObject([{ ref_id: id, payload: { tx_hash: accepted.payment_tx_hash } }])
    }
    const history = (await stage.client().tasks.payment(id)).events.map(({ event_type }) => event_type)
    expect(history).toEqual(['bounty_declared', 'authorized', 'escrow_funded', 'settled'])
  })

  test.each([POLYGON, THIRD])('pays out on %s, the network paid on', async (network) => {
    const [buyer, worker] = [await newBuyer(stage, { network }), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker, { bounty: aBounty(5, network) })
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ payment_status: 'settled' })
    expect(await usdcOf(stage.chain(network), worker.wallet.address)).toBe(5_000_000n)
  })

  test('pays a smart wallet on its own network', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const wallet = await deployedWallet(stage.chain(), worker.wallet)
    await worker.client.wallet.prove(wallet, BASE)
    await buyer.client.tasks.accept(await deliveredTask(buyer, worker))
    expect(await usdcOf(stage.chain(), wallet.address)).toBe(5_000_000n)
  })

  test('takes no payment: 400 payment_not_expected', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    const { terms } = await askPrice(stage, buyer, '/v1/tasks', { title: 'x', description: 'y', bounty: aBounty() })
    const { header } = await signPayment(stage, terms, buyer.wallet)
    const request = signed(stage, buyer, 'POST', `/v1/tasks/${id}/accept`)
    const answer = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': header } })
    expect(outcomeOf(answer)).toBe('400 payment_not_expected')
    expect(await task(id)).toMatchObject({ status: 'submitted' })
  })

  test('takes no payment when it is accepted already either, nor does a free task', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const free = await postFree(buyer)
    await claimAndDeliver(worker, free)
    for (const id of [free, await deliveredTask(buyer, worker)]) {
      await buyer.client.tasks.accept(id)
      const request = signed(stage, buyer, 'POST', `/v1/tasks/${id}/accept`)
      const answer = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': 'e30=' } })
      expect(outcomeOf(answer)).toBe('400 payment_not_expected')
    }
  })

  test('is for its poster only, whatever comes with the call: 403 before everything else', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const { terms } = await askPrice(stage, buyer, '/v1/tasks', { title: 'x', description: 'y', bounty: aBounty() })
    const { header } = await signPayment(stage, terms, buyer.wallet)
    const free = await postFree(buyer)
    await claimAndDeliver(worker, free)
    for (const id of [free, await deliveredTask(buyer, worker)]) {
      const request = signed(stage, worker, 'POST', `/v1/tasks/${id}/accept`)
      const answer = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': header } })
      expect(outcomeOf(answer)).toBe('403 forbidden')
    }
  })

  test('waits for a wallet when the deliverer has cleared it: 409 payee_wallet_missing', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    await worker.client.wallet.clear()
    await refusalOf(buyer.client.tasks.accept(id), 'payee_wallet_missing')
    expect(await task(id)).toMatchObject({ status: 'submitted', escrow: { status: 'funded' } })
    const other = newWallet()
    await worker.client.wallet.prove(other, BASE)
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ payment_status: 'settled' })
    expect(await usdcOf(stage.chain(), other.address)).toBe(5_000_000n)
  })

  test('pays the wallet recorded at acceptance, whatever the deliverer changes later', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ status: 'verified', payment_status: 'settling' })
    const later = newWallet()
    await worker.client.wallet.prove(later, BASE)
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    await stage.travel(60_000)
    expect(await task(id)).toMatchObject({ payment_status: 'settled', escrow: { status: 'released' } })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
    expect(await usdcOf(stage.chain(), later.address)).toBe(0n)
  })

  test('pays once, however often it is accepted', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    const first = await buyer.client.tasks.accept(id)
    const again = await buyer.client.tasks.accept(id)
    expect(again).toEqual(first)
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })
})

describe('accepting a declared bounty', () => {
  const declaredTask = async (network = BASE) => {
    const [buyer, worker] = [await newBuyer(stage, { network }), await newWorker(stage)]
    const id = await postFree(buyer, { bounty: aBounty(5, network), escrow: false })
    await claimAndDeliver(worker, id)
    return { buyer, worker, id, path: `/v1/tasks/${id}/accept` }
  }

  test('asks for a transfer straight to the deliverer, and settles it', async () => {
    const { buyer, worker, id, path } = await declaredTask()
    const asked = await askPrice(stage, buyer, path)
    expect(asked.terms).toMatchObject({ payTo: worker.wallet.address.toLowerCase(), amount: '5000000' })
    const view = await stage.client().tasks.payment(id)
    expect(view).toMatchObject({
      requirements: asked.terms,
      requirements_unavailable_reason: null,
      accept_endpoint: path,
    })
    const answer = await pay(stage, asked, await signPayment(stage, asked.terms, buyer.wallet))
    expect(answer.body).toMatchObject({ status: 'verified', accepted_by: 'creator', payment_status: 'settled' })
    expect(readHeader(answer, 'payment-response')).toMatchObject({
      success: true,
      transaction: answer.body.payment_tx_hash,
    })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(95_000_000n)
  })

  test('is what a stock x402 client speaks', async () => {
    const { buyer, worker, path } = await declaredTask(POLYGON)
    const client = new x402Client().register('eip155:*', new ExactEvmScheme(buyer.wallet))
    client.setSpendControls({ maxAmountPerPayment: '$10' })
    const { headers } = signed(stage, buyer, 'POST', path)
    const answer = await wrapFetchWithPayment(fetch, client)(`${stage.node().url}${path}`, { method: 'POST', headers })
    expect(await answer.json()).toMatchObject({ status: 'verified', payment_status: 'settled' })
    expect(await usdcOf(stage.chain(POLYGON), worker.wallet.address)).toBe(5_000_000n)
  })

  test('never takes a payment to escrow, nor to a wallet that the deliverer has given up', async () => {
    const { buyer, worker, path } = await declaredTask()
    const asked = await askPrice(stage, buyer, path)
    const escrow = stage.escrow.address
    const toEscrow = await signPayment(stage, asked.terms, buyer.wallet, { authorization: { to: escrow } })
    expect((await pay(stage, asked, toEscrow)).body.reason).toBe('recipient_mismatch')
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    const other = newWallet()
    await worker.client.wallet.prove(other, BASE)
    const stale = await pay(stage, asked, payment)
    expect(outcomeOf(stale)).toBe('402 payment_invalid')
    expect(stale.body.accepts).toMatchObject([{ payTo: other.address.toLowerCase() }])
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
  })

  test('says why nothing can be signed yet', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await postFree(buyer, { bounty: aBounty(), escrow: false })
    const reason = async () => (await stage.client().tasks.payment(id)).requirements_unavailable_reason
    expect(await reason()).toBe('not_claimed')
    await worker.client.tasks.claim(id)
    expect(await reason()).toBeNull()
    await worker.client.wallet.clear()
    expect(await reason()).toBe('payee_wallet_missing')
    expect((await stage.client().tasks.payment(await postFree(buyer))).requirements_unavailable_reason).toBe(
      'no_bounty',
    )
  })

  test('shows a payment on its way and never asks for a second one', async () => {
    const { buyer, worker, id } = await declaredTask()
    await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
    const accepted = await buyer.client.tasks.accept(id)
    expect(accepted).toMatchObject({ status: 'verified', payment_status: 'failed', payment_tx_hash: null })
    expect(accepted.settle_error).not.toBeNull()
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ payment_status: 'failed' })
    await refusalOf(buyer.client.tasks.cancel(id), 'already_accepted')
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    await stage.travel(60_000)
    expect(await task(id)).toMatchObject({ payment_status: 'settled' })
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })

  test('can be made up for when the authorization has run out unsettled', async () => {
    const { buyer, worker, id } = await declaredTask()
    await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
    await buyer.client.tasks.accept(id)
    await stage.travel(2 * HOUR)
    expect(await task(id)).toMatchObject({ status: 'verified', payment_status: 'expired', payment_due: true })
    const { events } = await worker.client.events.list({ type: 'task.payment_failed' })
    expect(events).toHaveLength(1)
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ status: 'verified', payment_status: 'settled' })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })

  test('again after that pays the wallet recorded at acceptance, even when the deliverer has cleared it since', async () => {
    const { buyer, worker, id, path } = await declaredTask()
    await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
    await buyer.client.tasks.accept(id)
    await stage.travel(2 * HOUR)
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    await worker.client.wallet.clear()
    const { terms } = await askPrice(stage, buyer, path)
    expect(terms.payTo).toBe(worker.wallet.address.toLowerCase())
    expect(await stage.client().tasks.payment(id)).toMatchObject({ requirements: terms })
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ payment_status: 'settled' })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })

  test('answers with its place in the ledger, whichever call pays and whoever accepted', async () => {
    const { buyer, id } = await declaredTask()
    await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
    const first = await buyer.client.tasks.accept(id)
    await stage.travel(2 * HOUR)
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    const { chain_sequence, chain_entry_hash } = await buyer.client.tasks.accept(id)
    expect(first).toMatchObject({ chain_sequence: expect.any(Number), chain_entry_hash })
    expect(chain_sequence).toBe(first.chain_sequence)

    const other = await declaredTask()
    await stage.travel(7 * DAY)
    const paid = await other.buyer.client.tasks.accept(other.id)
    const entry = await stage.client().chain.entry(paid.chain_sequence ?? 0)
    expect(entry).toMatchObject({ entry_type: 'task_verified', entry_hash: paid.chain_entry_hash })
  })

  test('by the timer leaves the bounty due, and it is paid through accept all the same', async () => {
    const { buyer, worker, id } = await declaredTask()
    await stage.travel(7 * DAY)
    const unpaid = await task(id)
    expect(unpaid).toMatchObject({
      status: 'verified',
      accepted_by: 'auto',
      payment_status: 'pending',
      payment_due: true,
    })
    expect((await buyer.client.events.list({ type: 'task.payment_due' })).events).toHaveLength(1)
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ accepted_by: 'auto', payment_status: 'settled' })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })
})

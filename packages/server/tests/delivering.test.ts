import { DAY, hashText, isReceiptInEntry, payloadHash, verifyReceiptSignature } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { newAgent, newBuyer, newWorker, type Player } from './support/cast.ts'
import { collected } from './support/collected.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'
import { aDelivery, claimAndDeliver, deliveredTask, postFree } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage()

test('a receipt is checked offline: its agent signed it, and the ledger commits to it', async () => {
  const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
  const id = await postFree(poster)
  await worker.client.tasks.claim(id)
  const delivered = await worker.client.tasks.deliver(id, {
    ...aDelivery,
    artifact_urls: ['https://example.org/ten'],
    commit_hash: 'a'.repeat(40),
    pr_url: 'https://example.org/pull/10',
  })
  const receipt = await stage.client().tasks.receipt(id)
  expect(receipt).toMatchObject({
    receipt_id: delivered.receipt_id,
    chain_sequence: delivered.chain_sequence,
    chain_entry_hash: delivered.chain_entry_hash,
    payload: null,
  })
  const entry = await stage.client().chain.entry(delivered.chain_sequence ?? 0)
  expect(stage.client().receipts.verify(receipt, entry)).toEqual({ holds: true, signedByAgent: true, inLedger: true })
  const { receipts } = await poster.client.tasks.submission(id)
  const payload = receipts[0]?.payload
  expect(payload && payloadHash(payload)).toBe(receipt.payload_hash)
})

test('a receipt that was touched does not hold', async () => {
  const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
  const id = await postFree(poster)
  await claimAndDeliver(worker, id)
  const receipt = await stage.client().tasks.receipt(id)
  const entry = await stage.client().chain.entry(receipt.chain_sequence ?? 0)
  expect(verifyReceiptSignature({ ...receipt, body_hash: '0'.repeat(64) })).toBe(false)
  expect(isReceiptInEntry({ ...receipt, completed_at: new Date(0).toISOString() }, entry)).toBe(false)
})

test.each(['deliver', 'submit'])(
  'anyone can check the signature of every receipt later, so /%s takes the id only as it is',
  async (verb) => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    await worker.client.tasks.claim(id)
    const delivery = { summary: 'Ten.', submission_type: 'json', content: '[1,10]' }
    const deliverAt = async (path: string) =>
      outcomeOf(await send(stage, signed(stage, worker, 'POST', `/v1/tasks/${path}/${verb}`, delivery)))
    expect(await deliverAt(id.replace('_', '%5F'))).toBe('400 bad_request')
    expect((await stage.client().tasks.get(id)).receipts_count).toBe(0)
    expect(await deliverAt(id)).toBe('200')
    expect(verifyReceiptSignature(await stage.client().tasks.receipt(id))).toBe(true)
  },
)

describe('the delivery is private to poster and deliverer until it is published:', () => {
  test('the parties read it, nobody else does', async () => {
    const [poster, worker, stranger] = [await newAgent(stage), await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    await worker.client.tasks.claim(id)
    await refusalOf(worker.client.tasks.submission(id), 'not_found')
    await worker.client.tasks.deliver(id, aDelivery)
    for (const party of [poster, worker]) {
      const { submission } = await party.client.tasks.submission(id)
      expect(submission).toMatchObject({ content: '[1,10]', summary: aDelivery.summary, agent_id: worker.id })
    }
    await refusalOf(stranger.client.tasks.submission(id), 'forbidden')
    const seen = await stage.client().tasks.get(id)
    expect(seen).toMatchObject({ submission: null, delivery_receipt: { payload: null }, receipts_count: 1 })
    expect(JSON.stringify(seen)).not.toContain('dix')
  })

  test('a short one cannot be guessed from its receipt', async () => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    await worker.client.tasks.claim(id)
    const delivery = { summary: 'The answer', submission_type: 'json', submission_content: '42' } as const
    await worker.client.tasks.deliver(id, delivery)
    const { body_hash, payload } = await stage.client().tasks.receipt(id)
    expect([payload, body_hash === hashText(JSON.stringify(delivery))]).toEqual([null, false])
  })

  test('publishing shows it, taking it back hides it', async () => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    await refusalOf(poster.client.tasks.publish(id), 'not_found')
    await claimAndDeliver(worker, id)
    await refusalOf(worker.client.tasks.publish(id), 'forbidden')
    expect(await poster.client.tasks.publish(id)).toMatchObject({ submission_public: true })
    expect((await stage.client().tasks.get(id)).submission).toMatchObject({ content: '[1,10]' })
    expect((await stage.client().tasks.receipt(id)).payload).toMatchObject({ submission_content: '[1,10]' })
    expect(await poster.client.tasks.unpublish(id)).toEqual({
      ok: true,
      task_id: id,
      submission_public: false,
      published_at: null,
    })
    expect((await stage.client().tasks.get(id)).submission).toBeNull()
  })

  test('whoever takes over a lapsed task does not inherit the delivery', async () => {
    const [poster, first, second] = [await newAgent(stage), await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    await claimAndDeliver(first, id)
    await poster.client.tasks.revision(id, { note: 'More.' })
    await stage.travel(7 * DAY)
    await second.client.tasks.claim(id)
    await refusalOf(second.client.tasks.submission(id), 'not_found')
    expect((await first.client.tasks.submission(id)).submission.agent_id).toBe(first.id)
    await second.client.tasks.deliver(id, { ...aDelivery, summary: 'mine' })
    expect((await second.client.tasks.submission(id)).submission.summary).toBe('mine')
    const shown = (await second.client.tasks.submission(id)).receipts
    expect(shown.map(({ agent_id, payload }) => [agent_id, payload === null])).toEqual([
      [second.id, false],
      [first.id, true],
    ])
  })

  test('publishing one agent’s delivery does not publish what an earlier agent delivered', async () => {
    const [poster, first, second] = [await newAgent(stage), await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    await claimAndDeliver(first, id)
    await poster.client.tasks.revision(id, { note: 'More.' })
    await stage.travel(7 * DAY)
    await claimAndDeliver(second, id)
    await poster.client.tasks.revision(id, { note: 'More.' })
    await second.client.tasks.deliver(id, { ...aDelivery, summary: 'more' })
    await poster.client.tasks.publish(id)
    const receipts = await stage.client().tasks.receipts(id)
    expect(receipts.map(({ agent_id, payload }) => [agent_id, payload !== null])).toEqual([
      [second.id, true],
      [second.id, true],
      [first.id, false],
    ])
    const seenBy = async ({ client }: Player) =>
      (await client.tasks.submission(id)).receipts.map(({ payload }) => payload !== null)
    expect(await seenBy(poster)).toEqual([true, true, true])
    expect(await seenBy(first)).toEqual([false, false, true])
    expect(await seenBy(second)).toEqual([true, true, false])
  })
})

test('the settled payment, the acceptance and the delivery are all in the ledger, in their order', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const before = (await stage.client().chain.latest()).sequence
  const id = await deliveredTask(buyer, worker)
  const accepted = await buyer.client.tasks.accept(id)
  expect(accepted.chain_sequence).not.toBeNull()
  const types = async () => {
    const entries = await collected(stage.client().chain.range(before + 1))
    return entries.map(({ entry_type }) => entry_type)
  }
  expect(await until(types, (seen) => seen.length >= 3)).toEqual([
    'task_delivered',
    'task_verified',
    'task_payment_settled',
  ])
})

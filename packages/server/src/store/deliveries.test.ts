import { expect, test } from 'vitest'
import { NOW, sampleReceipt, sampleSubmission, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'

const bench = storeBench()

test('deliveries are listed newest first and read back as they were written', async () => {
  const { task, worker } = await bench.store.transaction(async (tx) => {
    const task = sampleTask()
    await tx.insertTask(task)
    return { task, worker: await addAgent(tx) }
  })
  const [first, second] = [sampleSubmission(task, worker), sampleSubmission(task, worker, { createdAt: NOW + 1 })]
  const receipts = [sampleReceipt(first, { revision: 0 }), sampleReceipt(second, { revision: 1 })] as const
  await bench.store.transaction(async (tx) => {
    for (const submission of [first, second]) await tx.insertSubmission(submission)
    for (const receipt of receipts) await tx.insertReceipt(receipt)
  })
  expect(await bench.store.submissions(task.id)).toEqual([second, first])
  expect(await bench.store.receipts(task.id)).toEqual([receipts[1], receipts[0]])

  const again = bench.store.transaction((tx) => tx.insertReceipt(sampleReceipt(second, { revision: 1 })))
  await expect(again).rejects.toThrow('receipts_task_id_revision_key')
})

test('payment events are listed in the order in which they were written, also within a millisecond', async () => {
  const task = sampleTask()
  const events = ['c', 'a', 'b'].map((id) => ({
    id: `pev_${id}`,
    taskId: task.id,
    type: 'settled',
    details: { tx_hash: '0x1', nested: { list: [1, null] } },
    createdAt: NOW,
  }))
  await bench.store.transaction(async (tx) => {
    await tx.insertTask(task)
    for (const event of events) await tx.addPaymentEvent(event)
  })
  expect(await bench.store.paymentEvents(task.id)).toEqual(events)
})

import { expect, test } from 'vitest'
import {
  NOW,
  sampleEscrow,
  sampleReceipt,
  sampleSubmission,
  sampleTask,
  sampleTransfer,
} from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'

const bench = storeBench()

test('a task comes with everything about it: poster, newest delivery, wallet and money', async () => {
  const expected = await bench.store.transaction(async (tx) => {
    const poster = await addAgent(tx)
    const wallet = {
      address: '0x0000000000000000000000000000000000000b0b',
      network: 'eip155:8453',
      kind: 'contract',
      verifiedAt: NOW,
      proof: { message: 'm', signature: '0x1' },
    } as const
    const worker = await addAgent(tx, { wallet })
    const deposit = sampleTransfer({ state: 'settled', txHash: '0xd', final: true, blockNumber: 7n, settledAt: NOW })
    const release = sampleTransfer({ purpose: 'release', depositId: deposit.id })
    const task = sampleTask({
      status: 'submitted',
      creator: { kind: 'agent', id: poster.id },
      claimedBy: worker.id,
      bounty: { amount: 5_000_000n, network: 'eip155:8453' },
      escrow: sampleEscrow({ depositId: deposit.id, exitId: release.id }),
    })
    await tx.insertTransfer(deposit)
    await tx.insertTransfer(release)
    await tx.insertTask(task)
    const first = sampleSubmission(task, worker)
    const second = sampleSubmission(task, worker, { artifactUrls: null, createdAt: NOW + 1 })
    await tx.insertSubmission(first)
    await tx.insertSubmission(second)
    const receipt = sampleReceipt(second, { revision: 1 })
    await tx.insertReceipt(receipt)
    await tx.insertReceipt(sampleReceipt(first, { revision: 0 }))
    return {
      task,
      creatorName: poster.profile.name,
      receipt,
      submission: second,
      agentWallet: wallet,
      deposit,
      payment: release,
    }
  })
  expect(await bench.store.taskDetail(expected.task.id)).toEqual(expected)
})

test('a bounty that is paid at acceptance is the payment', async () => {
  const payment = sampleTransfer({ purpose: 'bounty' })
  const task = sampleTask({ bounty: { amount: 1n, network: 'eip155:8453' }, paymentId: payment.id })
  await bench.store.transaction(async (tx) => {
    await tx.insertTransfer(payment)
    await tx.insertTask(task)
  })
  const nothing = { creatorName: null, receipt: null, submission: null, agentWallet: null, deposit: null }
  expect(await bench.store.taskDetail(task.id)).toEqual({ ...nothing, task, payment })
})

test('no task, no detail', async () => {
  expect(await bench.store.taskDetail('task_nowhere')).toBeNull()
})

import { beforeAll, describe, expect, test } from 'vitest'
import {
  NOW,
  sampleEscrow,
  sampleReceipt,
  sampleSubmission,
  sampleTask,
  sampleTransfer,
} from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Agent } from '../domain/agent/agent.ts'
import type { Receipt } from '../domain/delivery/delivery.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transaction } from '../ports/store.ts'

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
    const deposit = sampleTransfer({
      state: 'settled',
      txHash: '0xd',
      mature: true,
      final: true,
      blockNumber: 7n,
      settledAt: NOW,
    })
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
  expect(await bench.store.publicTask('task_nowhere')).toBeNull()
  expect(await bench.store.taskFingerprint('task_nowhere')).toBeNull()
})

test('for the public, what was delivered is read only while it is published', async () => {
  const { task, submission } = await bench.store.transaction(async (tx) => {
    const worker = await addAgent(tx)
    const task = sampleTask({ status: 'submitted', claimedBy: worker.id })
    const submission = sampleSubmission(task, worker)
    await tx.insertTask(task)
    await tx.insertSubmission(submission)
    await tx.insertReceipt(sampleReceipt(submission, { revision: 0 }))
    return { task, submission }
  })
  const shown = async () => (await bench.store.publicTask(task.id))?.submission
  const publish = (publishedAt: number | null) =>
    bench.store.transaction(async (tx) => {
      const locked = await tx.lockTask(task.id)
      if (locked !== null) await tx.saveTask({ ...locked, publishedAt })
    })
  expect(await shown()).toBeNull()
  expect((await bench.store.taskDetail(task.id))?.submission).toEqual(submission)
  await publish(NOW)
  expect(await shown()).toEqual(submission)
  await publish(null)
  expect(await shown()).toBeNull()
})

describe('the fingerprint of a task', () => {
  const deposit = sampleTransfer()
  const release = sampleTransfer({ purpose: 'release', depositId: deposit.id })
  const escrow = sampleEscrow({ depositId: deposit.id, exitId: release.id })
  let poster: Agent
  let task: Task
  let receipt: Receipt

  beforeAll(async () => {
    await bench.store.transaction(async (tx) => {
      poster = await addAgent(tx)
      const bounty = { amount: 5_000_000n, network: 'eip155:8453' }
      task = sampleTask({ creator: { kind: 'agent', id: poster.id }, bounty, escrow })
      await tx.insertTransfer(deposit)
      await tx.insertTransfer(release)
      await tx.insertTask(task)
      const submission = sampleSubmission(task, poster)
      await tx.insertSubmission(submission)
      receipt = sampleReceipt(submission, { revision: 0, chainSequence: null, chainEntryHash: null })
      await tx.insertReceipt(receipt)
    })
  })

  const changes: readonly (readonly [what: string, change: (tx: Transaction) => Promise<unknown>])[] = [
    ['the task', (tx) => tx.saveTask({ ...task, reviewNote: 'Almost.' })],
    ['its deposit', (tx) => tx.saveTransfer({ ...deposit, attempts: 1 })],
    ['its payment', (tx) => tx.saveTransfer({ ...release, attempts: 2 })],
    ['its poster’s name', (tx) => tx.updateProfile(poster.id, { ...poster.profile, name: 'Another' }, 'another')],
    [
      'the seal of its receipt',
      () =>
        bench.sql.query(
          'update receipts set (chain_sequence, chain_entry_hash) = (7, sha256(id::bytea)) where id = $1',
          [receipt.id],
        ),
    ],
    [
      'a new delivery',
      async (tx) => {
        const again = sampleSubmission(task, poster)
        await tx.insertSubmission(again)
        await tx.insertReceipt(sampleReceipt(again, { revision: 1 }))
      },
    ],
  ]

  test.each(changes)('changes with %s, on every node', async (_, change) => {
    const before = await bench.other.taskFingerprint(task.id)
    expect((await bench.store.publicTask(task.id))?.fingerprint).toBe(before)
    await bench.store.transaction(change)
    const after = await bench.other.taskFingerprint(task.id)
    expect(after).not.toBe(before)
    expect((await bench.store.publicTask(task.id))?.fingerprint).toBe(after)
  })

  test('stays as it is when the poster is seen', async () => {
    const before = await bench.store.taskFingerprint(task.id)
    await bench.sql.query('update agents set last_seen_at = $2 where id = $1', [poster.id, new Date(NOW)])
    expect(await bench.store.taskFingerprint(task.id)).toBe(before)
  })

  test('names the run of the server: one that was restored counts its versions anew', async () => {
    const { rows } = await bench.sql.query('select concat(pg_postmaster_start_time()) as started')
    const fingerprint = await bench.store.taskFingerprint(task.id)
    expect(fingerprint?.slice(0, 19)).toBe(rows[0].started.slice(0, 19))
  })
})

import { MINUTE } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleAuthorization, sampleTransfer } from '../../tests/support/samples.ts'
import { addAgent, gate, storeBench } from '../../tests/support/store.ts'
import type { Hex, Transfer } from '../domain/transfer/transfer.ts'

const bench = storeBench()

const insert = (transfer: Transfer, store = bench.store) => store.transaction((tx) => tx.insertTransfer(transfer))
const lease = (id: string, at: number, store = bench.store) =>
  store.transaction((tx) => tx.leaseTransfer(id, at, at + MINUTE))

test('a transfer is read back as it was written, with its addresses in lower case', async () => {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const from: Hex = '0x00000000000000000000000000000000000000AB'
  const authorization = sampleAuthorization({ from, validBefore: 2n ** 256n - 1n, value: 2n ** 62n })
  const more = { agentId: agent.id, taskId: 'task_1', blockNumber: 2n ** 40n, txHash: '0x7', settledAt: NOW } as const
  const transfer = sampleTransfer({ authorization, ...more, state: 'settled', lastError: 'slow', leaseUntil: NOW })
  expect(await insert(transfer)).toBe(true)
  const lower: Hex = '0x00000000000000000000000000000000000000ab'
  const stored = { ...transfer, authorization: { ...authorization, from: lower } }
  expect(await bench.store.transfer(transfer.id)).toEqual(stored)
  expect(await bench.store.transferByAuthorization(authorization)).toEqual(stored)
  expect(await bench.store.transferByAuthorization({ ...authorization, network: 'eip155:137' })).toBeNull()
})

test('one authorization counts once, whatever its spelling', async () => {
  const nonce: Hex = `0x${'ab'.repeat(32)}`
  const first = sampleTransfer({ authorization: sampleAuthorization({ nonce }) })
  const upper: Hex = `0x${'AB'.repeat(32)}`
  expect(await insert(first)).toBe(true)
  expect(await insert(sampleTransfer({ authorization: { ...first.authorization, nonce: upper } }))).toBe(false)
  expect(await insert(sampleTransfer({ authorization: sampleAuthorization({ nonce, network: 'eip155:137' }) }))).toBe(
    true,
  )
})

test('of fifty that show one authorization at once over two nodes, one is taken', async () => {
  const authorization = sampleAuthorization()
  const shown = Array.from({ length: 50 }, (_, index) =>
    insert(sampleTransfer({ authorization }), index % 2 ? bench.store : bench.other),
  )
  expect((await Promise.all(shown)).filter(Boolean)).toHaveLength(1)
})

test('an authorization whose first use was rolled back can be used again', async () => {
  const authorization = sampleAuthorization()
  const recorded = gate()
  const failing = bench.store.transaction(async (tx) => {
    await tx.insertTransfer(sampleTransfer({ authorization }))
    recorded.open()
    throw new Error('no')
  })
  await recorded.opened
  const second = insert(sampleTransfer({ authorization }), bench.other)
  await expect(failing).rejects.toThrow('no')
  expect(await second).toBe(true)
})

test('a deposit has one exit', async () => {
  const deposit = sampleTransfer()
  await insert(deposit)
  expect(await insert(sampleTransfer({ purpose: 'release', depositId: deposit.id }))).toBe(true)
  expect(await insert(sampleTransfer({ purpose: 'refund', depositId: deposit.id }))).toBe(false)
  await expect(insert(sampleTransfer({ purpose: 'refund' }))).rejects.toThrow('transfers_exits_name_their_deposit')
})

test('nothing is settled without a transaction', async () => {
  const settled = sampleTransfer({ state: 'settled' })
  await expect(insert(settled)).rejects.toThrow('transfers_settled_have_a_transaction')
})

test('of many that want a lease at once, one gets it, and it counts', async () => {
  const transfer = sampleTransfer()
  await insert(transfer)
  const wanted = Array.from({ length: 10 }, (_, index) =>
    lease(transfer.id, NOW, index % 2 ? bench.store : bench.other),
  )
  const held = (await Promise.all(wanted)).filter((lease) => lease !== null)
  expect(held).toEqual([{ ...transfer, fence: 1, attempts: 1, leaseUntil: NOW + MINUTE }])
  expect(await lease(transfer.id, NOW + MINUTE - 1)).toBeNull()
  expect(await lease(transfer.id, NOW + MINUTE)).toMatchObject({ fence: 2, attempts: 2 })
})

test('a lease is renewed only by its holder, and not after it was given back', async () => {
  const transfer = sampleTransfer()
  await insert(transfer)
  const renew = (held: Transfer, until: number) => bench.store.transaction((tx) => tx.renewLease(held, until))
  const first = (await lease(transfer.id, NOW)) ?? transfer
  expect(await renew(first, NOW + 2 * MINUTE)).toBe(true)
  expect(await lease(transfer.id, NOW + 2 * MINUTE - 1)).toBeNull()
  const second = (await lease(transfer.id, NOW + 2 * MINUTE, bench.other)) ?? transfer
  expect(await renew(first, NOW + 9 * MINUTE)).toBe(false)
  expect(await bench.store.transfer(transfer.id)).toEqual(second)
  await bench.store.transaction((tx) => tx.saveTransfer({ ...second, leaseUntil: null }))
  expect(await renew(second, NOW + 9 * MINUTE)).toBe(false)
  expect((await bench.store.transfer(transfer.id))?.leaseUntil).toBeNull()
})

test('to look again at what has settled is no attempt to settle it', async () => {
  const transfer = sampleTransfer({ state: 'settled', txHash: '0x8', attempts: 1 })
  await insert(transfer)
  expect(await lease(transfer.id, NOW)).toMatchObject({ fence: 1, attempts: 1 })
})

test('only the holder of the newest lease writes the outcome', async () => {
  const transfer = sampleTransfer()
  await insert(transfer)
  const stale = (await lease(transfer.id, NOW)) ?? transfer
  const newest = (await lease(transfer.id, NOW + MINUTE, bench.other)) ?? transfer
  const outcome = { state: 'settled', txHash: '0x7', leaseUntil: null } as const
  const save = (held: Transfer) => bench.store.transaction((tx) => tx.saveTransfer({ ...held, ...outcome }))
  await expect(save(stale)).rejects.toThrow('this outcome is stale')
  expect((await bench.store.transfer(transfer.id))?.state).toBe('intended')
  await save(newest)
  expect(await bench.store.transfer(transfer.id)).toEqual({ ...newest, ...outcome })
})

test('a payout’s validity and signature are renewed, what was agreed stays', async () => {
  const transfer = sampleTransfer({ signature: null })
  await insert(transfer)
  const renewed = { ...transfer.authorization, validBefore: 9n, value: 1n, to: transfer.authorization.from }
  await bench.store.transaction((tx) => tx.saveTransfer({ ...transfer, authorization: renewed, signature: '0xaa' }))
  expect(await bench.store.transfer(transfer.id)).toEqual({
    ...transfer,
    signature: '0xaa',
    authorization: { ...transfer.authorization, validBefore: 9n },
  })
})

test('a payee changes only to where the payout was redirected before', async () => {
  const [asked, other] = [
    '0x000000000000000000000000000000000000000b',
    '0x000000000000000000000000000000000000000c',
  ] as const
  const transfer = sampleTransfer({ purpose: 'return', signature: null })
  await insert(transfer)
  const payee = async (to: `0x${string}`, redirectTo: `0x${string}` | null) => {
    const authorization = { ...transfer.authorization, to }
    await bench.store.transaction((tx) => tx.saveTransfer({ ...transfer, authorization, redirectTo }))
    return (await bench.store.transfer(transfer.id))?.authorization.to
  }
  const { to } = transfer.authorization
  expect(await payee(asked, asked)).toBe(to)
  expect(await payee(other, asked)).toBe(to)
  expect(await payee(asked, null)).toBe(asked)
  expect(await payee(to, null)).toBe(asked)
})

test('due are the unsettled and the unproven, when their time has come and nobody holds them', async () => {
  await bench.sql.query('delete from transfers')
  const soon = sampleTransfer({ nextAttemptAt: NOW + 2 })
  const atOnce = sampleTransfer({ nextAttemptAt: null })
  const watched = sampleTransfer({ state: 'settled', txHash: '0x7', nextAttemptAt: NOW + 1 })
  const others = [
    sampleTransfer({ nextAttemptAt: NOW + 3 }),
    sampleTransfer({ leaseUntil: NOW + 10 }),
    sampleTransfer({ state: 'settled', txHash: '0x7', final: true }),
    sampleTransfer({ state: 'dead' }),
    sampleTransfer({ state: 'superseded' }),
  ]
  for (const transfer of [soon, atOnce, watched, ...others]) await insert(transfer)
  const { network } = soon.authorization
  expect(await bench.store.dueTransfers(NOW + 2, 10, network)).toEqual([atOnce.id, watched.id, soon.id])
  expect(await bench.store.dueTransfers(NOW + 2, 2, network)).toEqual([atOnce.id, watched.id])
  expect(await bench.store.dueTransfers(NOW + 2, 10, 'eip155:1')).toEqual([])
  for (const { id } of others.slice(2)) expect(await lease(id, NOW + MINUTE)).toBeNull()
})

test.each(['bond', 'withdrawal'] as const)('a %s is open until it is final or dead', async (purpose) => {
  const [agent, other] = await bench.store.transaction(async (tx) => [await addAgent(tx), await addAgent(tx)])
  const open = () => bench.store.hasOpenBond(agent.id)
  expect(await open()).toBe(false)
  const [one, two] = [1, 2].map(() => sampleTransfer({ purpose, agentId: agent.id })) as [Transfer, Transfer]
  const save = (transfer: Transfer, changes: Partial<Transfer>) =>
    bench.store.transaction((tx) => tx.saveTransfer({ ...transfer, ...changes }))
  await insert(one)
  expect(await open()).toBe(true)
  await save(one, { state: 'settled', txHash: '0x8' })
  expect(await open()).toBe(true)
  await save(one, { state: 'settled', txHash: '0x8', final: true })
  expect(await open()).toBe(false)
  await insert(two)
  expect([await open(), await bench.store.hasOpenBond(other.id)]).toEqual([true, false])
  await save(two, { state: 'dead' })
  expect(await open()).toBe(false)
})

test('withdrawals are counted per agent, whatever came of them', async () => {
  const [agent, other] = await bench.store.transaction(async (tx) => [await addAgent(tx), await addAgent(tx)] as const)
  const count = () => Promise.all([agent, other].map(({ id }) => bench.store.countWithdrawals(id)))
  const withdrawal = sampleTransfer({ purpose: 'withdrawal', agentId: agent.id })
  await insert(withdrawal)
  await insert(sampleTransfer({ purpose: 'bond', agentId: agent.id }))
  expect(await count()).toEqual([1, 0])
  await bench.store.transaction((tx) => tx.saveTransfer({ ...withdrawal, state: 'dead' }))
  await insert(sampleTransfer({ purpose: 'withdrawal', agentId: agent.id }))
  expect(await count()).toEqual([2, 0])
})

test('a bond that is settled but not final is known by its agent', async () => {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const bond = sampleTransfer({ purpose: 'bond', agentId: agent.id })
  await insert(bond)
  expect(await bench.store.youngBonds(agent.id)).toEqual([])
  const save = (changes: Partial<Transfer>) =>
    bench.store.transaction((tx) => tx.saveTransfer({ ...bond, state: 'settled', txHash: '0x7', ...changes }))
  await save({})
  expect(await bench.store.youngBonds(agent.id)).toMatchObject([{ id: bond.id, mature: false }])
  await save({ mature: true })
  expect(await bench.store.youngBonds(agent.id)).toMatchObject([{ id: bond.id, mature: true }])
  await save({ final: true })
  expect(await bench.store.youngBonds(agent.id)).toEqual([])
})

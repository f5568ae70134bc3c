import { beforeEach, describe, expect, test } from 'vitest'
import { NOW, sampleAuthorization, sampleId, sampleTransfer } from '../../tests/support/samples.ts'
import { storeBench } from '../../tests/support/store.ts'
import type { Movement } from '../domain/custody/movement.ts'
import type { Watch } from '../domain/custody/watch.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import type { Transaction } from '../ports/store.ts'

const bench = storeBench()
const BASE = 'eip155:8453'
const SENDER = '0x0000000000000000000000000000000000000a11'
let made = 0

const movement = (amount: bigint, changes: Partial<Movement> = {}): Movement => ({
  txHash: `0x${(++made).toString(16).padStart(64, '0')}`,
  logIndex: 1,
  blockNumber: 10n,
  incoming: true,
  counterparty: SENDER,
  amount,
  ...changes,
})

const inOne = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => bench.store.transaction(work)

async function aTransfer(changes: Partial<Transfer> = {}): Promise<Transfer> {
  const transfer = sampleTransfer({ authorization: sampleAuthorization({ network: BASE }), ...changes })
  await inOne((tx) => tx.insertTransfer(transfer))
  return transfer
}

const position = (block: bigint) => inOne((tx) => tx.custodyPosition(BASE, block))
const prove = (...movements: Movement[]) => inOne((tx) => tx.proveMovements(BASE, movements, NOW))
const book = (one: Movement, { id }: Transfer) => inOne((tx) => tx.bookMovement(BASE, one, id, NOW))
const stray = async (one: Movement) => {
  const id = sampleId('str')
  await inOne((tx) => tx.bookStray(BASE, one, id, NOW))
  return id
}

beforeEach(async () => {
  await bench.sql.query('delete from wallet_movements')
})

describe('a movement', () => {
  test('that is proven is unknown until it belongs to a transfer or is a stray', async () => {
    const [first, second, third] = [movement(1n), movement(2n), movement(3n)]
    expect(await bench.store.unknownMovements(BASE, [first, second, third])).toEqual([first, second, third])
    await prove(first, second)
    await prove(first, second)
    expect(await bench.store.unknownMovements(BASE, [first, second, third])).toEqual([first, second, third])
    const { id } = await aTransfer()
    await inOne((tx) => tx.assignMovement(BASE, first, id, false))
    await stray(second)
    expect(await bench.store.unknownMovements(BASE, [first, second, third])).toEqual([third])
  })

  test('that the chain put elsewhere takes the place of the one that was booked and never proven', async () => {
    const transfer = await aTransfer()
    const [before, after] = [movement(5n, { blockNumber: 11n }), movement(5n, { blockNumber: 10n })]
    await book(before, transfer)
    expect(await position(10n)).toMatchObject({ notProven: 5n })
    await prove(after)
    await inOne((tx) => tx.assignMovement(BASE, after, transfer.id, true))
    expect(await position(10n)).toMatchObject({ notBooked: 0n, notProven: 0n })
  })

  test('of a transfer is booked once, and only where the chain has it now', async () => {
    const transfer = await aTransfer()
    const [before, after] = [movement(5n), movement(5n)]
    expect(await book(before, transfer)).toBe(true)
    expect(await book(before, transfer)).toBe(true)
    expect(await book(after, transfer)).toBe(true)
    expect(await bench.store.unknownMovements(BASE, [before, after])).toEqual([before])
    await inOne((tx) => tx.forgetMovement(transfer.id))
    expect(await bench.store.unknownMovements(BASE, [before, after])).toEqual([before, after])
  })

  test('that is proven stays in the proven balance when the chain takes it back or puts it elsewhere', async () => {
    const [transfer, other] = [await aTransfer(), await aTransfer()]
    const [gone, moved, moves] = [movement(5n), movement(7n), movement(7n)]
    await book(gone, transfer)
    await book(moved, other)
    await prove(gone, moved)
    await inOne((tx) => tx.forgetMovement(transfer.id))
    await book(moves, other)
    expect(await bench.store.unknownMovements(BASE, [gone, moved, moves])).toEqual([gone, moved])
    expect(await inOne((tx) => tx.unproveMovements(BASE, 9n))).toBe(12n)
    expect(await position(9n)).toMatchObject({ notBooked: 0n, notProven: 7n })
    expect(await book(gone, transfer)).toBe(true)
  })

  test('that is booked as a stray is booked neither again nor for a transfer, and the other way round', async () => {
    const [strayed, paid] = [movement(5n), movement(5n)]
    await stray(strayed)
    await expect(stray(strayed)).rejects.toThrow('booked already')
    expect(await book(strayed, await aTransfer())).toBe(false)
    await book(paid, await aTransfer())
    await expect(stray(paid)).rejects.toThrow('booked already')
  })

  test('that is a stray, or of a transfer, is given to no other transfer by a look at the wallet', async () => {
    const [strayed, paid] = [movement(5n), movement(5n)]
    const strayId = await stray(strayed)
    const first = await aTransfer()
    await book(paid, first)
    const second = await aTransfer()
    await inOne(async (tx) => {
      for (const one of [strayed, paid]) await tx.assignMovement(BASE, one, second.id, true)
    })
    const { rows } = await bench.sql.query('select stray_id, transfer_id from wallet_movements order by tx_hash')
    expect(rows).toEqual([
      { stray_id: strayId, transfer_id: null },
      { stray_id: null, transfer_id: first.id },
    ])
  })
})

test('the wallet must hold what the books say, without later blocks, and without payouts that may have left', async () => {
  await bench.sql.query('delete from transfers')
  const network = 'eip155:137'
  const authorization = (value: bigint, validBefore: bigint) => sampleAuthorization({ network, value, validBefore })
  const least = (block: bigint, except = '') => bench.store.leastHeld(network, block, except)
  const before = await least(10n)
  const nobody = { transferId: null, taskId: null, agentId: null, txHash: null }
  const deposited = {
    network,
    debit: 'wallet',
    credit: 'deposits',
    amount: 100n,
    reason: 'deposit',
    ...nobody,
  } as const
  await inOne((tx) => tx.post({ ...deposited, id: sampleId('jrn'), createdAt: NOW }))
  expect((await least(10n)) - before).toBe(100n)
  const settled = { state: 'settled', txHash: movement(1n).txHash } as const
  const deposit = await aTransfer({ ...settled, authorization: authorization(30n, 9n) })
  await inOne((tx) => tx.bookMovement(network, movement(30n), deposit.id, NOW))
  expect([(await least(9n)) - before, (await least(10n)) - before]).toEqual([70n, 100n])
  const payout = await aTransfer({ purpose: 'withdrawal', authorization: authorization(5n, 9n) })
  await aTransfer({ purpose: 'withdrawal', authorization: authorization(7n, 0n), signature: null })
  await aTransfer({ purpose: 'deposit', authorization: authorization(11n, 9n) })
  expect([(await least(10n)) - before, (await least(10n, payout.id)) - before]).toEqual([95n, 100n])
})

describe('the position', () => {
  test('counts what is on chain and not booked, in and out, when it is of a transfer', async () => {
    const [deposit, payout, theft] = [
      movement(7n),
      movement(2n, { incoming: false }),
      movement(1n, { incoming: false }),
    ]
    await prove(deposit, payout, theft)
    const [one, other] = [await aTransfer(), await aTransfer()]
    await inOne((tx) => tx.assignMovement(BASE, deposit, one.id, false))
    await inOne((tx) => tx.assignMovement(BASE, payout, other.id, false))
    expect(await position(10n)).toMatchObject({ notBooked: 5n, notProven: 0n })
    await book(deposit, one)
    expect(await position(10n)).toMatchObject({ notBooked: -2n, notProven: 0n })
  })

  test('counts what is booked and not proven while it may still come: later, or not final', async () => {
    const settled = { state: 'settled', txHash: movement(1n).txHash } as const
    const [young, old] = [await aTransfer(settled), await aTransfer({ ...settled, final: true })]
    await book(movement(3n), young)
    await book(movement(4n), old)
    expect(await position(9n)).toMatchObject({ notProven: 7n })
    expect(await position(10n)).toMatchObject({ notProven: 3n })
  })

  test('counts deposits and bonds that are under way, on this network, and nothing that goes out or elsewhere', async () => {
    const before = (await position(10n)).underWay
    const { value } = (await aTransfer({ state: 'intended' })).authorization
    await aTransfer({ state: 'intended', purpose: 'bond' })
    await aTransfer({ state: 'intended', purpose: 'bounty' })
    await aTransfer({ state: 'intended', purpose: 'withdrawal' })
    await aTransfer({ state: 'intended', authorization: sampleAuthorization({ network: 'eip155:137' }) })
    await aTransfer({ state: 'settled', txHash: movement(1n).txHash })
    await aTransfer({ state: 'dead' })
    expect((await position(10n)).underWay - before).toBe(2n * value)
  })

  test('has nothing open once everything is booked and proven, and all again after the chain went back', async () => {
    const [paid, strayed] = [movement(3n), movement(4n)]
    await book(paid, await aTransfer({ state: 'settled', txHash: paid.txHash }))
    await prove(paid, strayed)
    await stray(strayed)
    expect(await position(10n)).toMatchObject({ notBooked: 0n, notProven: 0n })
    const unproven = () => bench.store.unprovenMovements(BASE, [paid, strayed])
    expect(await unproven()).toEqual([])
    expect(await bench.store.provenAfter(BASE, 9n)).toBe(7n)
    expect(await bench.store.provenAfter(BASE, 10n)).toBe(0n)
    expect(await inOne((tx) => tx.unproveMovements(BASE, 9n))).toBe(7n)
    expect(await bench.store.provenAfter(BASE, 9n)).toBe(0n)
    expect(await unproven()).toEqual([paid, strayed])
    expect(await inOne((tx) => tx.unproveMovements(BASE, 9n))).toBe(0n)
    expect(await position(10n)).toMatchObject({ notProven: 3n })
    expect(await position(9n)).toMatchObject({ notProven: 7n })
  })
})

describe('a stray', () => {
  test('is listed until it is returned, explained or makes up for a loss', async () => {
    const ids = [
      await stray(movement(1n)),
      await stray(movement(2n)),
      await stray(movement(3n)),
      await stray(movement(4n)),
    ]
    const [returned = '', explained = '', covering = '', left = ''] = ids
    const [back, late] = [await aTransfer({ purpose: 'return' }), await aTransfer()]
    await inOne((tx) => tx.returnStray(returned, back.id))
    await inOne((tx) => tx.explainStray(explained, late.id))
    await inOne((tx) => tx.coverLoss(covering))
    const list = async (all: boolean) =>
      (await bench.store.strays({ returned: all, limit: 10 })).map(({ id }) => id).sort()
    expect(await list(false)).toEqual([left])
    expect(await list(true)).toEqual([left, returned].sort())
    expect(await inOne((tx) => tx.lockStray(returned))).toMatchObject({
      amount: 1n,
      counterparty: SENDER,
      returned: { transferId: back.id, state: 'intended', txHash: null },
    })
  })

  test('that the chain took back is nothing to send back until it is seen again', async () => {
    const one = movement(9n)
    const id = await stray(one)
    await inOne((tx) => tx.unproveMovements(BASE, one.blockNumber - 1n))
    expect(await inOne((tx) => tx.lockStray(id))).toBeNull()
    expect(await bench.store.strays({ returned: true, limit: 10 })).toEqual([])
    expect((await inOne((tx) => tx.lockStrayAt(BASE, one)))?.id).toBe(id)
    await prove(one)
    expect((await inOne((tx) => tx.lockStray(id)))?.id).toBe(id)
  })

  test('is found by its place in the chain', async () => {
    const one = movement(9n)
    const id = await stray(one)
    expect((await inOne((tx) => tx.lockStrayAt(BASE, one)))?.id).toBe(id)
    expect(await inOne((tx) => tx.lockStrayAt('eip155:137', one))).toBeNull()
  })
})

describe('a watch', () => {
  test('is opened once, looked at by one at a time, and written by whoever looked last', async () => {
    const network = 'eip155:5042'
    const opened = { network, wallet: SENDER, asset: SENDER, lookAt: NOW } as const
    await inOne((tx) => tx.openWatch(opened))
    await inOne((tx) => tx.openWatch({ ...opened, wallet: '0x00000000000000000000000000000000000000ff' }))
    expect(await bench.store.dueWatches([network], SENDER, NOW - 1)).toEqual([])
    expect(await bench.store.dueWatches([network, BASE], SENDER, NOW)).toEqual([network])
    const taken = await Promise.all(
      [bench.store, bench.other].map((store) => store.transaction((tx) => tx.leaseWatch(network, NOW, NOW + 1_000))),
    )
    const [first] = taken.filter((watch) => watch !== null)
    expect(taken.filter((watch) => watch === null)).toHaveLength(1)
    if (!first) throw new Error('nobody looked')
    const second = await inOne((tx) => tx.leaseWatch(network, NOW + 1_000, NOW + 2_000))
    const proven = { number: 7n, hash: movement(1n).txHash, balance: 12n }
    expect(await inOne((tx) => tx.saveWatch({ ...first, missed: 1 }))).toBe(false)
    if (!second) throw new Error('nobody looked again')
    const seen = {
      ...second,
      firstBlock: 3n,
      proven,
      difference: -4n,
      trouble: 'less',
      transactions: 1n,
      provenAt: NOW,
    }
    expect(await inOne((tx) => tx.saveWatch(seen))).toBe(true)
    expect(await bench.store.watch(network)).toEqual(seen)
    const renew = (watch: Watch, over: number) => inOne((tx) => tx.renewWatch(watch, over, NOW + 9_000))
    expect([await renew(first, NOW), await renew(second, NOW + 2_000)]).toEqual([false, false])
    expect(await renew(second, NOW)).toBe(true)
    expect(await bench.store.watch(network)).toEqual({ ...seen, lookAt: NOW + 9_000 })
    expect(seen.wallet).toBe(SENDER)
  })
})

import { SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { movedWorld } from '../../../tests/support/moved-world.ts'
import { NOW, sampleTransfer } from '../../../tests/support/samples.ts'
import { storeBench } from '../../../tests/support/store.ts'
import { until } from '../../../tests/support/until.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { keepLease, LEASE_MS } from './keep-lease.ts'

const bench = storeBench()

const renewing = (leased: Transfer) => (tx: Transaction, at: number) => tx.renewLease(leased, at + LEASE_MS)

async function leasedTransfer() {
  const transfer = sampleTransfer()
  await bench.store.transaction((tx) => tx.insertTransfer(transfer))
  const leased = await bench.store.transaction((tx) => tx.leaseTransfer(transfer.id, NOW, NOW + LEASE_MS))
  if (leased === null) throw new Error('The transfer was not leased.')
  const leaseUntil = async () => (await bench.store.transfer(transfer.id))?.leaseUntil
  return { leased, leaseUntil }
}

test('an attempt that takes a minute keeps its lease', async () => {
  const { world, move, alarms } = movedWorld(bench.store)
  const { leased, leaseUntil } = await leasedTransfer()
  const letGo = keepLease(world, renewing(leased))
  for (let seconds = 5; seconds <= 60; seconds += 5) {
    move(5 * SECOND)
    await until(leaseUntil, (at) => at === NOW + seconds * SECOND + LEASE_MS)
    await until(
      async () => alarms.size,
      (size) => size === 1,
    )
  }
  letGo()
  expect(alarms.size).toBe(0)
})

test('a lease that another node has taken is renewed no more', async () => {
  const { world, move, alarms } = movedWorld(bench.store)
  const { leased, leaseUntil } = await leasedTransfer()
  keepLease(world, renewing(leased))
  const taken = NOW + 3 * LEASE_MS
  await bench.other.transaction((tx) => tx.leaseTransfer(leased.id, NOW + LEASE_MS, taken))
  move(LEASE_MS)
  await bench.store.transaction((tx) => tx.lockTransfer(leased.id))
  expect(await leaseUntil()).toBe(taken)
  expect(alarms.size).toBe(0)
})

test('a database that is away for a moment does not end the renewing', async () => {
  const { world, move, alarms } = movedWorld(bench.store)
  const { leased, leaseUntil } = await leasedTransfer()
  let isAway = true
  const transaction: World['store']['transaction'] = (work) =>
    isAway ? Promise.reject(new Error('away')) : bench.store.transaction(work)
  keepLease({ ...world, store: { ...bench.store, transaction } }, renewing(leased))
  move(5 * SECOND)
  await until(
    async () => alarms.size,
    (size) => size === 1,
  )
  isAway = false
  move(5 * SECOND)
  await until(leaseUntil, (at) => at === NOW + 10 * SECOND + LEASE_MS)
})

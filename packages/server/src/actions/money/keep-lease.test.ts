import { SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleTransfer } from '../../../tests/support/samples.ts'
import { stillWorld } from '../../../tests/support/still-world.ts'
import { storeBench } from '../../../tests/support/store.ts'
import { until } from '../../../tests/support/until.ts'
import type { World } from '../../ports/world.ts'
import { keepLease, LEASE_MS } from './keep-lease.ts'

const bench = storeBench()

/** A world whose time passes when the test says so. */
function movedWorld() {
  let now = NOW
  const alarms = new Set<{ readonly at: number; readonly ring: () => void }>()
  const after = (ms: number, ring: () => void) => {
    const alarm = { at: now + ms, ring }
    alarms.add(alarm)
    return () => alarms.delete(alarm)
  }
  const still = stillWorld(bench.store)
  const world = { ...still, clock: { now: () => now }, timer: { elapsed: () => now, after } } as unknown as World
  const move = (ms: number) => {
    now += ms
    for (const alarm of alarms) {
      if (alarm.at > now) continue
      alarms.delete(alarm)
      alarm.ring()
    }
  }
  return { world, move, alarms }
}

async function leasedTransfer() {
  const transfer = sampleTransfer()
  await bench.store.transaction((tx) => tx.insertTransfer(transfer))
  const leased = await bench.store.transaction((tx) => tx.leaseTransfer(transfer.id, NOW, NOW + LEASE_MS))
  if (leased === null) throw new Error('The transfer was not leased.')
  const leaseUntil = async () => (await bench.store.transfer(transfer.id))?.leaseUntil
  return { leased, leaseUntil }
}

test('an attempt that takes a minute keeps its lease', async () => {
  const { world, move, alarms } = movedWorld()
  const { leased, leaseUntil } = await leasedTransfer()
  const letGo = keepLease(world, leased)
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
  const { world, move, alarms } = movedWorld()
  const { leased, leaseUntil } = await leasedTransfer()
  keepLease(world, leased)
  const taken = NOW + 3 * LEASE_MS
  await bench.other.transaction((tx) => tx.leaseTransfer(leased.id, NOW + LEASE_MS, taken))
  move(LEASE_MS)
  await bench.store.transaction((tx) => tx.lockTransfer(leased.id))
  expect(await leaseUntil()).toBe(taken)
  expect(alarms.size).toBe(0)
})

test('a database that is away for a moment does not end the renewing', async () => {
  const { world, move, alarms } = movedWorld()
  const { leased, leaseUntil } = await leasedTransfer()
  let isAway = true
  const transaction: World['store']['transaction'] = (work) =>
    isAway ? Promise.reject(new Error('away')) : bench.store.transaction(work)
  keepLease({ ...world, store: { ...bench.store, transaction } }, leased)
  move(5 * SECOND)
  await until(
    async () => alarms.size,
    (size) => size === 1,
  )
  isAway = false
  move(5 * SECOND)
  await until(leaseUntil, (at) => at === NOW + 10 * SECOND + LEASE_MS)
})

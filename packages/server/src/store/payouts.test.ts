import { expect, test } from 'vitest'
import { NOW, sampleAuthorization, sampleTransfer } from '../../tests/support/samples.ts'
import { gate, storeBench } from '../../tests/support/store.ts'
import type { Transfer, TransferPurpose } from '../domain/transfer/transfer.ts'
import type { Transaction } from '../ports/store.ts'

const bench = storeBench()

const pause = (paused: boolean) => bench.store.transaction((tx) => tx.pausePayouts(paused, paused ? 'a check' : null))

type Amount = { readonly value: bigint; readonly validBefore: bigint }

/** A transfer, with the deposit that it empties when it is an exit. */
async function add(tx: Transaction, purpose: TransferPurpose, amount: Amount): Promise<Transfer> {
  const deposit = sampleTransfer({ authorization: sampleAuthorization({ validBefore: 0n }) })
  const isExit = purpose === 'release' || purpose === 'refund'
  if (isExit) await tx.insertTransfer(deposit)
  const depositId = isExit ? deposit.id : null
  const transfer = sampleTransfer({ purpose, depositId, authorization: sampleAuthorization(amount) })
  await tx.insertTransfer(transfer)
  return transfer
}

test('payouts are paused when the row of the switch is lost', async () => {
  const { rows } = await bench.sql.query(`delete from switches where name = 'payouts' returning is_off`)
  expect(rows).toEqual([{ is_off: false }])
  expect(await bench.store.payoutsPaused()).toEqual({ paused: true, reason: null })
  expect(await bench.store.transaction((tx) => tx.lockPayouts())).toEqual({ paused: true, reason: null })
  expect(await bench.store.figures.figures(NOW, [])).toMatchObject({ payoutsPaused: true })
  await bench.sql.query(`insert into switches (name, is_off) values ('payouts', false)`)
  expect(await bench.store.payoutsPaused()).toEqual({ paused: false, reason: null })
})

test('reserving a payout waits for a reservation at another node, and then counts it', async () => {
  const holds = gate()
  const goesOn = gate()
  const first = bench.store.transaction(async (tx) => {
    await tx.lockPayouts()
    holds.open()
    await goesOn.opened
    await add(tx, 'release', { value: 7n, validBefore: 2_000n })
  })
  await holds.opened
  const second = bench.other.transaction(async (tx) => {
    await tx.lockPayouts()
    return tx.atomicPaidOut(1_999n, '')
  })
  const waitingHere = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const waiting = async () => (await bench.sql.query(waitingHere)).rowCount
  try {
    await expect.poll(waiting).toBe(1)
  } finally {
    goesOn.open()
  }
  await first
  expect(await second).toBe(7n)
})

test('the amount signed within the hour counts the other payouts whose signature has not run out', async () => {
  await bench.sql.query('delete from transfers')
  const own = await bench.store.transaction(async (tx) => {
    for (const purpose of ['release', 'refund', 'withdrawal', 'return'] as const)
      await add(tx, purpose, { value: 10n, validBefore: 2_000n })
    for (const purpose of ['deposit', 'bond', 'bounty'] as const)
      await add(tx, purpose, { value: 100n, validBefore: 2_000n })
    await add(tx, 'refund', { value: 1_000n, validBefore: 1_000n })
    return (await add(tx, 'release', { value: 1n, validBefore: 2_000n })).id
  })
  const paidOut = (at: bigint, except: string) => bench.store.transaction((tx) => tx.atomicPaidOut(at, except))
  expect(await paidOut(1_000n, own)).toBe(40n)
  expect(await paidOut(1_000n, '')).toBe(41n)
  expect(await paidOut(999n, own)).toBe(1_040n)
  expect(await paidOut(2_000n, own)).toBe(0n)
})

test('payouts that go on again are due at once, and nothing else is', async () => {
  await bench.sql.query('delete from transfers')
  await pause(true)
  const later = { nextAttemptAt: NOW + 60_000 }
  const queued = sampleTransfer({ purpose: 'withdrawal', ...later })
  const others = [
    sampleTransfer({ purpose: 'deposit', ...later }),
    sampleTransfer({ purpose: 'withdrawal', state: 'dead', ...later }),
  ]
  await bench.store.transaction(async (tx) => {
    for (const transfer of [queued, ...others]) await tx.insertTransfer(transfer)
  })
  expect(await bench.store.payoutsPaused()).toEqual({ paused: true, reason: 'a check' })
  expect(await bench.store.queuedPayouts()).toEqual({ count: 1, atomic: queued.authorization.value })
  await pause(false)
  expect(await bench.store.transaction((tx) => tx.hastenPayouts(NOW))).toBe(1)
  expect(await bench.store.dueTransfers(NOW, 10, queued.authorization.network)).toEqual([queued.id])
})

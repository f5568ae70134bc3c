import { beforeAll, expect, test } from 'vitest'
import { NOW, samplePending } from '../../tests/support/samples.ts'
import { silentLog, storeBench } from '../../tests/support/store.ts'
import { createTimer } from '../create-timer.ts'
import type { RecordedHead } from '../ports/head-record.ts'
import { createLedger } from './create-ledger.ts'

const bench = storeBench()

/** A node that has sealed up to `recorded`. */
const ledgerOf = (recorded: RecordedHead | null) =>
  createLedger({
    store: bench.store,
    clock: { now: () => NOW },
    timer: createTimer(),
    log: silentLog,
    attest: () => 'signed',
    record: { read: () => recorded, write() {}, keepCheckpoint: async () => {} },
  })

const hashOf = async (sequence: number) => (await bench.store.ledgerEntry(sequence))?.entryHash ?? ''

beforeAll(async () => {
  await bench.store.transaction(async (tx) => {
    for (let place = 0; place < 5; place++) await tx.appendPending(samplePending())
  })
  await ledgerOf(null).sealPending()
})

test('a restored old copy is noticed at once, though nothing is pending', async () => {
  const ledger = ledgerOf({ sequence: 9, entryHash: 'f'.repeat(64) })
  await expect(ledger.sealPending()).rejects.toThrow('ends at entry 5')
  expect(ledger.isTrusted()).toBe(false)
})

test('a copy that another node has continued is noticed, too: the entry that this one sealed is not in it', async () => {
  const ledger = ledgerOf({ sequence: 4, entryHash: 'f'.repeat(64) })
  await expect(ledger.sealPending()).rejects.toThrow('this node has sealed entry 4')
  expect(ledger.isTrusted()).toBe(false)
})

test('a node goes on where others have sealed more since', async () => {
  const ledger = ledgerOf({ sequence: 3, entryHash: await hashOf(3) })
  expect(await ledger.sealPending()).toBe(0)
  expect(ledger.isTrusted()).toBe(true)
})

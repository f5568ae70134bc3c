import { beforeAll, expect, test } from 'vitest'
import { NOW, samplePending } from '../../tests/support/samples.ts'
import { silentLog, storeBench } from '../../tests/support/store.ts'
import { createTimer } from '../create-timer.ts'
import type { RecordedHead } from '../ports/head-record.ts'
import { createLedger } from './create-ledger.ts'

const bench = storeBench()

type Parts = Parameters<typeof createLedger>[0]

/** A node that has recorded this. */
const ledgerOf = (
  recorded: RecordedHead | null,
  write: (head: RecordedHead) => void = () => {},
  changed: Partial<Parts> = {},
) =>
  createLedger({
    store: bench.store,
    clock: { now: () => NOW },
    timer: createTimer(),
    log: silentLog,
    attest: () => 'signed',
    record: { read: () => recorded, write, keepCheckpoint: async () => {} },
    ...changed,
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

test.each([4, 5])(
  'a copy that another node has continued is noticed by the entry %i that is not in it',
  async (sequence) => {
    const ledger = ledgerOf({ sequence, entryHash: 'f'.repeat(64) })
    await expect(ledger.sealPending()).rejects.toThrow(`this node has seen entry ${sequence}`)
    expect(ledger.isTrusted()).toBe(false)
  },
)

test('a node goes on where others have sealed more since, and records it', async () => {
  const written: RecordedHead[] = []
  const ledger = ledgerOf({ sequence: 3, entryHash: await hashOf(3) }, (head) => void written.push(head))
  expect(await ledger.sealPending()).toBe(0)
  expect(ledger.isTrusted()).toBe(true)
  expect(written).toMatchObject([{ sequence: 5, entryHash: await hashOf(5) }])
})

test('nothing is appended to a copy that another node has continued', async () => {
  await bench.store.transaction((tx) => tx.appendPending(samplePending()))
  const ledger = ledgerOf({ sequence: 4, entryHash: 'f'.repeat(64) })
  await expect(ledger.sealPending()).rejects.toThrow('this node has seen entry 4')
  expect(await bench.store.ledgerEntry(6)).toBeNull()
})

test('what is recorded while the head is read is not taken for missing', async () => {
  let recorded: RecordedHead = { sequence: 3, entryHash: await hashOf(3) }
  const ledgerHead = async () => {
    const head = await bench.store.ledgerHead()
    recorded = { sequence: 900, entryHash: 'e'.repeat(64) }
    return head
  }
  const record = { read: () => recorded, write() {}, keepCheckpoint: async () => {} }
  const ledger = ledgerOf(null, () => {}, { store: { ...bench.store, ledgerHead }, record })
  await ledger.check()
  expect(ledger.isTrusted()).toBe(true)
})

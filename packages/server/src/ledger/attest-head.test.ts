import { HOUR } from '@guildhall/protocol'
import { beforeAll, expect, test } from 'vitest'
import { NOW, samplePending } from '../../tests/support/samples.ts'
import { silentLog, storeBench } from '../../tests/support/store.ts'
import { createTimer } from '../create-timer.ts'
import type { RecordedHead } from '../ports/head-record.ts'
import { createLedger } from './create-ledger.ts'

const bench = storeBench()
let now = NOW

/** A node whose data directory is kept in memory. */
function aNode(recorded: RecordedHead | null = null) {
  const kept: unknown[] = []
  const record = {
    read: () => recorded,
    write: (head: RecordedHead) => {
      recorded = { sequence: head.sequence, entryHash: head.entryHash }
    },
    keepCheckpoint: async (checkpoint: object) => void kept.push(checkpoint),
  }
  const attest = () => 'signed'
  const ledger = createLedger({
    store: bench.store,
    clock: { now: () => now },
    timer: createTimer(),
    log: silentLog,
    attest,
    record,
  })
  return { ledger, record, kept }
}

const append = (count: number) =>
  bench.store.transaction(async (tx) => {
    for (let place = 0; place < count; place++) await tx.appendPending(samplePending())
  })
const newest = async () => (await bench.store.checkpoints(0, 0, 1)).at(-1)

beforeAll(async () => {
  await append(2)
  await aNode().ledger.sealPending()
  now += 1
  await append(3)
  await aNode().ledger.sealPending()
})

test('a node whose record is ahead of the database attests nothing and trusts its ledger no more', async () => {
  now = NOW + HOUR
  const { ledger, kept } = aNode({ sequence: 9, entryHash: 'f'.repeat(64) })
  await expect(ledger.attestHead()).rejects.toThrow('An older copy seems to have been restored')
  expect(ledger.isTrusted()).toBe(false)
  expect(kept).toEqual([])
  expect(await newest()).toMatchObject({ sequence: 2 })
})

test('a node that attests what another has sealed vouches for it: outside the database too', async () => {
  now = NOW + HOUR - 1
  const { ledger, record, kept } = aNode()
  expect(await ledger.attestHead()).toBe(false)
  now = NOW + HOUR
  expect(await ledger.attestHead()).toBe(true)
  const head = await bench.store.ledgerHead()
  expect(await newest()).toMatchObject({ sequence: 5, treeSize: 5, issuedAt: now, entryHash: head?.entryHash })
  expect(kept).toEqual([await newest()])
  expect(record.read()).toEqual({ sequence: 5, entryHash: head?.entryHash })
  now += 2 * HOUR
  expect(await ledger.attestHead()).toBe(false)
})

import { HOUR } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, samplePending } from '../../../tests/support/samples.ts'
import { silentLog, storeBench } from '../../../tests/support/store.ts'
import { createTimer } from '../../create-timer.ts'
import { createLedger } from '../../ledger/create-ledger.ts'
import { listedChain, proofOf } from './listed-chain.ts'

const bench = storeBench()
let now = NOW

const ledger = () =>
  createLedger({
    store: bench.store,
    clock: { now: () => now },
    timer: createTimer(),
    log: silentLog,
    attest: () => 'signed',
    record: { read: () => null, write() {}, keepCheckpoint: async () => {} },
  })

async function seal(count: number): Promise<void> {
  await bench.store.transaction(async (tx) => {
    for (let place = 0; place < count; place++) await tx.appendPending(samplePending())
  })
  await ledger().sealPending()
}

test('no checkpoint lies beyond the newest entry that an answer knows of, even if one is issued while it is made', async () => {
  await seal(4)
  const store = {
    async ledgerHead() {
      const head = await bench.store.ledgerHead()
      now += HOUR
      await seal(1)
      return head
    },
    ledgerRange: bench.store.ledgerRange,
    checkpoints: bench.store.checkpoints,
  }
  const { total, entries, checkpoints } = await listedChain(store, {})
  expect([total, entries.length, checkpoints.map(({ sequence }) => sequence)]).toEqual([4, 4, [2]])

  const newest = await proofOf(store, { from: 4, to: 4, total: 4 })
  expect(newest.checkpoints.map(({ sequence }) => sequence)).toEqual([2])
  const later = await listedChain(bench.store, {})
  expect([later.total, later.checkpoints.map(({ sequence }) => sequence)]).toEqual([5, [2, 5]])
})

test('a range that reaches beyond the newest entry ends with it', async () => {
  await seal(3)
  const { total } = await listedChain(bench.store, {})
  const shown = async (query: { from?: number; to?: number; limit?: number }) =>
    (await listedChain(bench.store, query)).entries.map(({ sequence }) => sequence)
  expect(await shown({ to: total + 5_000 })).toHaveLength(total)
  expect(await shown({ to: total + 1, limit: 2 })).toEqual([total - 1, total])
  expect(await shown({ from: total - 1, to: total + 5_000 })).toEqual([total - 1, total])
  expect(await shown({ from: total + 1, to: total + 5_000 })).toEqual([])
})

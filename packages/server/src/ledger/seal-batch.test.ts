import { growingTree, leafHash } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, samplePending } from '../../tests/support/samples.ts'
import { silentLog, storeBench } from '../../tests/support/store.ts'
import { createTimer } from '../create-timer.ts'
import type { SealingTransaction } from '../ports/ledger-store.ts'
import type { Store } from '../ports/store.ts'
import { createLedger } from './create-ledger.ts'
import { treeAt } from './tree-at.ts'

const bench = storeBench()

/** A node that seals, and how often it has read nodes of the tree. */
function aNode() {
  let reads = 0
  const counted = (tx: SealingTransaction): SealingTransaction => ({
    ...tx,
    merkleNodes(wanted) {
      reads++
      return tx.merkleNodes(wanted)
    },
  })
  const sealing: Store['sealing'] = (work) => bench.store.sealing((tx) => work(counted(tx)))
  const ledger = createLedger({
    store: { ...bench.store, sealing },
    clock: { now: () => NOW },
    timer: createTimer(),
    log: silentLog,
    attest: () => 'signed',
    record: { read: () => null, write() {}, keepCheckpoint: async () => {} },
  })
  return {
    reads: () => reads,
    seal: ledger.sealPending,
    sealed: ledger.sealed,
    append: async (count: number) => Promise.all((await commit(count)).map(ledger.sealed)),
  }
}

/** Entries that are committed and that nobody waits for yet. */
async function commit(count: number): Promise<readonly string[]> {
  const pending = Array.from({ length: count }, () => samplePending())
  await bench.store.transaction(async (tx) => {
    for (const entry of pending) await tx.appendPending(entry)
  })
  return pending.map(({ id }) => id)
}

async function expectWholeTree(): Promise<void> {
  const entries = await bench.store.ledgerRange(1, 100)
  const whole = growingTree()
  for (const { entryHash } of entries) whole.append(leafHash(entryHash))
  const stored = await bench.store.sealing((tx) => treeAt(tx, entries.length))
  expect(stored.root()).toEqual(whole.root())
}

test('a node reads the tree again only after another one has sealed, and both build the same tree', async () => {
  const [one, other] = [aNode(), aNode()]
  for (const count of [3, 1, 4]) await one.append(count)
  expect(one.reads()).toBe(0)
  await other.append(5)
  expect(other.reads()).toBe(1)
  await one.append(2)
  await one.append(6)
  expect(one.reads()).toBe(1)
  await expectWholeTree()
})

test('a batch that was not committed leaves nothing of itself in the tree', async () => {
  const node = aNode()
  await node.append(1)
  const before = node.reads()
  await bench.sql.query('alter table merkle_nodes add constraint full_for_now check (index < 0) not valid')
  await bench.store.transaction((tx) => tx.appendPending(samplePending()))
  await expect(node.seal()).rejects.toThrow('full_for_now')
  await bench.sql.query('alter table merkle_nodes drop constraint full_for_now')
  expect(await node.seal()).toBe(1)
  expect(node.reads()).toBe(before + 1)
  await expectWholeTree()
})

test('entries are sealed in the order in which they were committed, whether or not somebody waits for them', async () => {
  const node = aNode()
  for (const count of [1, 1, 1]) await node.append(count)
  const [unawaited = ''] = await commit(1)
  const [awaited = ''] = await commit(1)
  const later = await node.sealed(awaited)
  const earlier = await bench.store.seal(unawaited)
  expect(earlier?.sequence).toBe((later?.sequence ?? 0) - 1)
})

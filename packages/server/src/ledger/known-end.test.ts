import { growingTree, leafHash } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, samplePending } from '../../tests/support/samples.ts'
import { silentLog, storeBench } from '../../tests/support/store.ts'
import { createTimer } from '../create-timer.ts'
import type { RecordedHead } from '../ports/head-record.ts'
import type { SealingTransaction } from '../ports/ledger-store.ts'
import type { Store } from '../ports/store.ts'
import { createLedger } from './create-ledger.ts'
import { treeAt } from './tree-at.ts'

const bench = storeBench()

/** A node that seals, and how often it has asked the database for what. */
function aNode() {
  const asked = { pending: 0, merkleNodes: 0 }
  const counted = (tx: SealingTransaction): SealingTransaction => ({
    ...tx,
    pending(limit) {
      asked.pending++
      return tx.pending(limit)
    },
    merkleNodes(wanted) {
      asked.merkleNodes++
      return tx.merkleNodes(wanted)
    },
  })
  const sealing: Store['sealing'] = (work) => bench.store.sealing((tx) => work(counted(tx)))
  let recorded: RecordedHead | null = null
  const write = (head: RecordedHead) => {
    recorded = head
  }
  const ledger = createLedger({
    store: { ...bench.store, sealing },
    clock: { now: () => NOW },
    timer: createTimer(),
    log: silentLog,
    attest: () => 'signed',
    record: { read: () => recorded, write, keepCheckpoint: async () => {} },
  })
  const add = async (count: number) => {
    const pending = Array.from({ length: count }, () => samplePending())
    await bench.store.transaction(async (tx) => {
      for (const entry of pending) await tx.appendPending(entry)
    })
    return pending
  }
  return {
    asked,
    add,
    seal: ledger.sealPending,
    sealed: ledger.sealed,
    sealedUnread: ledger.sealedUnread,
    append: async (count: number) => Promise.all((await add(count)).map(({ id }) => ledger.sealed(id))),
    appendUnread: async (count: number) => Promise.all((await add(count)).map(ledger.sealedUnread)),
  }
}

/** A node that has found twice in a row that nobody else seals. */
async function aNodeAlone() {
  const node = aNode()
  await node.append(1)
  await node.append(1)
  return node
}

async function expectWholeTree(): Promise<void> {
  const entries = await bench.store.ledgerRange(1, 1000)
  const whole = growingTree()
  for (const { entryHash } of entries) whole.append(leafHash(entryHash))
  const stored = await bench.store.sealing((tx) => treeAt(tx, entries.length))
  expect(stored.root()).toEqual(whole.root())
}

test('a node reads the tree again only after another one has sealed, and both build the same tree', async () => {
  const [one, other] = [aNode(), aNode()]
  for (const count of [3, 1, 4]) await one.append(count)
  expect(one.asked.merkleNodes).toBe(0)
  await other.append(5)
  expect(other.asked.merkleNodes).toBe(1)
  await one.append(2)
  await one.append(6)
  expect(one.asked.merkleNodes).toBe(1)
  await expectWholeTree()
})

test('a batch that was not committed leaves nothing of itself in the tree', async () => {
  const node = aNode()
  await node.append(1)
  const before = node.asked.merkleNodes
  await bench.sql.query('alter table merkle_nodes add constraint full_for_now check (index < 0) not valid')
  await bench.store.transaction((tx) => tx.appendPending(samplePending()))
  await expect(node.seal()).rejects.toThrow('full_for_now')
  await bench.sql.query('alter table merkle_nodes drop constraint full_for_now')
  expect(await node.seal()).toBe(1)
  expect(node.asked.merkleNodes).toBe(before + 1)
  await expectWholeTree()
})

test('entries that may be sealed unread are, after the head that this node has sealed last', async () => {
  const node = await aNodeAlone()
  const { pending } = node.asked
  const seals = await node.appendUnread(3)
  const [first = null] = seals
  expect(seals.map((seal) => seal?.sequence)).toEqual([0, 1, 2].map((nr) => (first?.sequence ?? 0) + nr))
  expect(node.asked.pending).toBe(pending)
  await expectWholeTree()
})

test('what was pending before is left to the next pass, which seals it', async () => {
  const node = await aNodeAlone()
  const [before] = await node.add(1)
  await node.appendUnread(1)
  expect(await bench.store.seal(before?.id ?? '')).toBeNull()
  expect(await node.seal()).toBe(1)
  await expectWholeTree()
})

test('beside an entry that must be read, all are read', async () => {
  const node = await aNodeAlone()
  const { pending } = node.asked
  const [one, two] = await node.add(2)
  await Promise.all([node.sealed(one?.id ?? ''), two && node.sealedUnread(two)])
  expect(node.asked.pending).toBeGreaterThan(pending)
  await expectWholeTree()
})

test('after another node has sealed, the guess is refused, and no other is made until nobody else seems to', async () => {
  const [node, other] = [await aNodeAlone(), aNode()]
  await other.append(2)
  const readBy = async (append: () => Promise<unknown>) => {
    const { pending } = node.asked
    await append()
    return node.asked.pending - pending
  }
  const unread = () => readBy(() => node.appendUnread(2))
  expect([await unread(), await unread(), await unread()]).toEqual([1, 1, 0])
  await expectWholeTree()
})

test('an entry that another node has sealed already is not sealed again', async () => {
  const [node, other] = [await aNodeAlone(), aNode()]
  const [entry] = await node.add(1)
  await other.seal()
  const there = await bench.store.seal(entry?.id ?? '')
  expect(entry && (await node.sealedUnread(entry))).toEqual(there)
  await expectWholeTree()
})

test('two nodes that seal unread at once leave no gap, no fork and nothing behind', async () => {
  const nodes = [aNode(), aNode()]
  const lanes = Array.from({ length: 20 }, async (_, nr) => {
    const seals = []
    for (let time = 0; time < 5; time++) seals.push(...((await nodes[nr % 2]?.appendUnread(2)) ?? []))
    return seals
  })
  const seals = (await Promise.all(lanes)).flat()
  expect(new Set(seals.map((seal) => seal?.sequence)).size).toBe(200)
  expect(await bench.store.hasPending()).toBe(false)
  await expectWholeTree()
})

import { entryHash } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, samplePending, sampleReceipt, sampleSubmission, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import { isoTime } from '../domain/instant.ts'
import type { LedgerEntry, PendingEntry } from '../domain/ledger/ledger.ts'
import type { LedgerHead, SealingTransaction } from '../ports/ledger-store.ts'
import type { Store } from '../ports/store.ts'

const bench = storeBench()

const add = (entry: PendingEntry, store: Store = bench.store) => store.transaction((tx) => tx.appendPending(entry))

function next(head: LedgerHead, pending: PendingEntry): LedgerEntry {
  const { type, agentId, agentName, publicKey, profileHash } = pending
  const entry = { type, agentId, agentName, publicKey, profileHash }
  const place = { sequence: head.sequence + 1, previousHash: head.entryHash, timestamp: NOW + head.sequence }
  const hashed = { sequence: place.sequence, previous_hash: place.previousHash, entry_type: type, agent_id: agentId }
  const hash = entryHash({
    ...hashed,
    public_key: publicKey,
    profile_hash: profileHash,
    timestamp: isoTime(place.timestamp),
  })
  return { ...place, ...entry, entryHash: hash }
}

async function sealOnce(tx: SealingTransaction, limit: number): Promise<number> {
  let head = await tx.lockHead()
  const sealed = (await tx.pending(limit)).map((pending) => {
    const entry = next(head, pending)
    head = entry
    return { pending, entry }
  })
  if (sealed.length === 0) return 0
  const leaves = sealed.map(({ entry }) => ({ level: 0, index: entry.sequence - 1, hash: entry.entryHash }))
  await tx.append(sealed, leaves)
  return sealed.length
}
const seal = (store: Store, limit = 500) => store.sealing((tx) => sealOnce(tx, limit))

test('an empty ledger has no head, and the first sealer finds sequence zero', async () => {
  expect(await bench.store.ledgerHead()).toBeNull()
  expect(await bench.store.hasPending()).toBe(false)
  expect(await bench.store.sealing((tx) => tx.lockHead())).toEqual({
    sequence: 0,
    entryHash: '0'.repeat(64),
    timestamp: 0,
  })
})

test('a sealed entry is found by its sequence and by what was pending', async () => {
  const pending = samplePending({ type: 'genesis', agentId: null, agentName: null })
  await add(pending)
  expect(await bench.store.hasPending()).toBe(true)
  expect(await bench.store.seal(pending.id)).toBeNull()
  expect(await seal(bench.store)).toBe(1)
  const entry = next({ sequence: 0, entryHash: '0'.repeat(64), timestamp: 0 }, pending)
  expect(await bench.store.ledgerEntry(1)).toEqual(entry)
  expect(await bench.store.ledgerHead()).toEqual({
    sequence: 1,
    entryHash: entry.entryHash,
    timestamp: entry.timestamp,
  })
  expect(await bench.store.seal(pending.id)).toEqual({ sequence: 1, entryHash: entry.entryHash })
  expect(await bench.store.hasPending()).toBe(false)
  expect(await bench.store.ledgerEntry(2)).toBeNull()
})

test('a receipt is stamped when its entry is sealed', async () => {
  const task = sampleTask()
  const receipt = await bench.store.transaction(async (tx) => {
    const agent = await addAgent(tx)
    await tx.insertTask(task)
    const submission = sampleSubmission(task, agent)
    await tx.insertSubmission(submission)
    const receipt = sampleReceipt(submission)
    await tx.insertReceipt(receipt)
    await tx.appendPending(samplePending({ type: 'task_delivered', receiptId: receipt.id }))
    return receipt
  })
  await seal(bench.store)
  const head = await bench.store.ledgerHead()
  expect(await bench.store.receipts(task.id)).toEqual([
    { ...receipt, chainSequence: head?.sequence, chainEntryHash: head?.entryHash },
  ])
})

test('two nodes append five hundred entries at once: no gaps, no forks, none lost', async () => {
  const before = (await bench.store.ledgerHead())?.sequence ?? 0
  const entries = Array.from({ length: 500 }, () => samplePending())
  let adding = true
  const lane = async (store: Store, mine: readonly PendingEntry[]) => {
    for (const entry of mine) await add(entry, store)
  }
  const added = Promise.all(
    Array.from({ length: 50 }, (_, nr) =>
      lane(nr % 2 ? bench.store : bench.other, entries.slice(nr * 10, nr * 10 + 10)),
    ),
  )
  const sealer = async (store: Store) => {
    while (adding || (await store.hasPending())) await seal(store, 37)
  }
  const sealers = [sealer(bench.store), sealer(bench.other), sealer(bench.store)]
  await added
  adding = false
  await Promise.all(sealers)

  const chain = await bench.store.ledgerRange(1, 10_000)
  expect(chain.map(({ sequence }) => sequence)).toEqual(Array.from({ length: before + 500 }, (_, index) => index + 1))
  for (const [index, entry] of chain.entries()) {
    expect(entry.previousHash).toBe(chain[index - 1]?.entryHash ?? '0'.repeat(64))
  }
  const seals = await Promise.all(entries.map(({ id }) => bench.store.seal(id)))
  expect(new Set(seals.map((found) => found?.sequence)).size).toBe(500)
})

/** The head is told to move nowhere. */
const NOWHERE = 'null value in column "sequence" of relation "ledger_head"'

test('an entry is sealed once, and the chain can neither fork nor begin anew', async () => {
  const pending = samplePending()
  await add(pending)
  const twice = bench.store.sealing(async (tx) => {
    const entry = next(await tx.lockHead(), pending)
    await tx.append([{ pending, entry }], [])
    await tx.append([{ pending, entry: next(entry, pending) }], [])
  })
  await expect(twice).rejects.toThrow(NOWHERE)
  const fork = bench.store.sealing(async (tx) => {
    const head = await tx.lockHead()
    const first = await bench.store.ledgerEntry(head.sequence)
    const forked = next({ ...head, entryHash: first?.previousHash ?? '' }, pending)
    await tx.append([{ pending, entry: forked }], [])
  })
  await expect(fork).rejects.toThrow(NOWHERE)
  const besides =
    'insert into ledger_entries select sequence + 1000, type, agent_id, agent_name, public_key, profile_hash, '
  const second = `${besides} previous_hash, sha256(entry_hash), sealed_at, 'another' from ledger_entries limit 1`
  await expect(bench.sql.query(second)).rejects.toThrow('ledger_entries_previous_hash_key')
  const gap = bench.store.sealing(async (tx) => {
    const head = await tx.lockHead()
    await tx.append([{ pending, entry: next({ ...head, sequence: head.sequence + 1 }, pending) }], [])
  })
  await expect(gap).rejects.toThrow(NOWHERE)
  const loose = bench.store.sealing(async (tx) => {
    const head = await tx.lockHead()
    await tx.append([{ pending, entry: next({ ...head, entryHash: 'ab'.repeat(32) }, pending) }], [])
  })
  await expect(loose).rejects.toThrow(NOWHERE)
  expect(await bench.store.hasPending()).toBe(true)
})

test('nodes of the tree are given in the order in which they are asked for', async () => {
  const [first, second] = await bench.store.ledgerRange(1, 2)
  const [one, zero] = await bench.store.merkleNodes([
    { level: 0, index: 1 },
    { level: 0, index: 0 },
  ])
  expect([zero, one]).toEqual([first?.entryHash, second?.entryHash])
  await expect(bench.store.merkleNodes([{ level: 9, index: 0 }])).rejects.toThrow('no node 0 on level 9')
})

test('of the checkpoints the first, those asked for and the newest are listed, oldest first', async () => {
  const [one, two, three, four] = await bench.store.ledgerRange(1, 4)
  const checkpoint = (entry: LedgerEntry | undefined) => ({
    sequence: entry?.sequence ?? 0,
    entryHash: entry?.entryHash ?? '',
    treeSize: entry?.sequence ?? 0,
    rootHash: '05'.repeat(32),
    issuedAt: NOW,
    signature: 'c2ln',
  })
  expect(await bench.store.sealing((tx) => tx.lastCheckpoint())).toBeNull()
  await bench.store.sealing((tx) => tx.addCheckpoint(checkpoint(two)))
  await bench.store.sealing((tx) => tx.addCheckpoint(checkpoint(one)))
  expect(await bench.store.checkpoints(2, 2, 1)).toEqual([checkpoint(one), checkpoint(two)])
  expect(await bench.store.sealing((tx) => tx.lastCheckpoint())).toEqual(checkpoint(two))
  for (const entry of [three, four]) await bench.store.sealing((tx) => tx.addCheckpoint(checkpoint(entry)))
  const listed = async (from: number, to: number, newest: number) =>
    (await bench.store.checkpoints(from, to, newest)).map(({ sequence }) => sequence)
  expect(await listed(9, 9, 1)).toEqual([1, 4])
  expect(await listed(2, 3, 0)).toEqual([1, 2, 3])
  expect(await listed(1, 4, 50)).toEqual([1, 2, 3, 4])
})

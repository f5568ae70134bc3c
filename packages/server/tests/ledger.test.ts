import { HOUR, verifyConsistency, verifyInclusion } from '@guildhall/protocol'
import type { Query } from '@guildhall/sdk'
import { expect, test } from 'vitest'
import { newAgent } from './support/cast.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'
import { aDelivery, claimAndDeliver, postFree } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage({ nodes: 2 })
const bytes = (hex: string) => Buffer.from(hex, 'hex')
const times = (count: number) => Array.from({ length: count }, (_, place) => place)

test('the ledger begins with genesis and the house, and is attested from there', async () => {
  const { chain } = stage.client()
  const genesis = await chain.entry(1)
  expect(genesis).toMatchObject({ entry_type: 'genesis', previous_hash: '0'.repeat(64), agent_id: null })
  const house = await chain.entry(2)
  expect(house).toMatchObject({
    entry_type: 'registration',
    agent_name: 'Guildhall House',
    previous_hash: genesis.entry_hash,
  })
  const { checkpoints, verification } = await chain.latest()
  expect(checkpoints[0]).toMatchObject({ sequence: 2, entry_hash: house.entry_hash, tree_size: 2 })
  expect(verification).not.toBe('')
})

test('appends from two nodes at once leave no gap and no fork', async () => {
  const poster = await newAgent(stage)
  const agents = await Promise.all(times(12).map(() => newAgent(stage)))
  const ids = await Promise.all(times(24).map(() => postFree(poster)))
  await Promise.all(
    ids.map(async (id, place) => {
      const client = agents[place % 12]?.with({ node: place % 2 }) ?? poster.client
      await client.tasks.claim(id)
      return client.tasks.deliver(id, aDelivery)
    }),
  )
  // An answer does not wait for a slow seal, so the receipts are asked.
  const sealed = async (id: string) => (await stage.client().tasks.receipt(id)).chain_sequence ?? 0
  const sequences = await until(
    () => Promise.all(ids.map(sealed)),
    (found) => !found.includes(0),
  )
  expect(new Set(sequences).size).toBe(24)
  expect(Math.min(...sequences)).toBeGreaterThan(2)
  const { fault, verified, rootHash } = await stage.client().chain.verify()
  expect(fault).toBeNull()
  expect(verified).toBe((await stage.client().chain.latest()).sequence)
  const whole = { query: { sequence: 1, tree_size: verified } }
  expect((await stage.client({ node: 1 }).call('inclusionProof', whole)).root_hash).toBe(rootHash)
})

test('an entry is proven to be in the tree, and a tree to be the beginning of a later one', async () => {
  const { chain, call } = stage.client()
  const { sequence: treeSize, checkpoints } = await chain.latest()
  for (const sequence of [1, 2, Math.floor(treeSize / 2), treeSize]) {
    const { proof, root_hash } = await call('inclusionProof', { query: { sequence, tree_size: treeSize } })
    const { entry_hash } = await chain.entry(sequence)
    const claim = { entryHash: entry_hash, leafIndex: sequence - 1, treeSize, root: bytes(root_hash) }
    expect(verifyInclusion(claim, proof.map(bytes))).toBe(true)
    expect(verifyInclusion({ ...claim, entryHash: 'f'.repeat(64) }, proof.map(bytes))).toBe(false)
  }
  const first = { size: 2, root: bytes(checkpoints[0]?.root_hash ?? '') }
  const { proof, root_hash } = await call('consistencyProof', { query: { from: 2, to: treeSize } })
  const now = { size: treeSize, root: bytes(root_hash) }
  expect(verifyConsistency(first, now, proof.map(bytes))).toBe(true)
  expect(verifyConsistency({ ...first, root: bytes('f'.repeat(64)) }, now, proof.map(bytes))).toBe(false)
})

test('what is asked for by its ends is given whole, and a page has twenty entries', async () => {
  const { chain, call } = stage.client()
  const { sequence: newest } = await chain.latest()
  const sequences = async (query: Query<'listChain'>) =>
    (await call('listChain', { query })).entries.map(({ sequence }) => sequence)
  expect(newest).toBeGreaterThan(24)
  expect(await sequences({ from: 1, to: 24 })).toEqual(times(24).map((place) => place + 1))
  expect(await sequences({ from: 2 })).toEqual(times(newest - 1).map((place) => place + 2))
  expect(await sequences({ to: 24 })).toEqual(times(24).map((place) => place + 1))
  expect(await sequences({ from: 1, to: 24, limit: 3 })).toEqual([1, 2, 3])
  expect(await sequences({})).toEqual(times(20).map((place) => newest - place))
})

test('what is not there is not found, and what makes no sense is refused', async () => {
  const { chain, call } = stage.client()
  const { sequence } = await chain.latest()
  await refusalOf(chain.entry(sequence + 1), 'not_found')
  for (const range of [{ from: '1', to: '3' }, { from: '1' }, { to: '3' }])
    await refusalOf(call('listChain', { query: { ...range, page: '1' } }), 'bad_request')
  await refusalOf(call('inclusionProof', { query: { sequence: 1, tree_size: sequence + 1 } }), 'not_found')
  await refusalOf(call('inclusionProof', { query: { sequence: 3, tree_size: 2 } }), 'bad_request')
  await refusalOf(call('consistencyProof', { query: { from: 3, to: 2 } }), 'bad_request')
  await refusalOf(call('listChain', { query: { from: 3, to: 2 } }), 'bad_request')
})

test('a checkpoint is issued with the first append that comes an hour after the last one', async () => {
  await stage.travel(HOUR)
  const before = (await stage.client().chain.latest()).checkpoints.length
  await stage.moveClocks(HOUR)
  const agent = await newAgent(stage)
  const { checkpoints, sequence } = await stage.client().chain.latest()
  expect(checkpoints).toHaveLength(before + 1)
  expect(checkpoints.at(-1)).toMatchObject({ sequence, tree_size: sequence })
  expect((await stage.client().chain.entry(sequence)).agent_id).toBe(agent.id)
  expect((await stage.client().chain.verify()).fault).toBeNull()
})

test('the last entries of a quiet ledger are attested within an hour, once, without another append', async () => {
  await newAgent(stage)
  const { sequence, checkpoints: before } = await stage.client().chain.latest()
  expect(before.at(-1)?.sequence).toBeLessThan(sequence)
  const ledgers = [0, 1].map((place) => stage.node(place).service.world.ledger)
  const attest = () => Promise.all(ledgers.map((ledger) => ledger.attestHead()))
  expect(await attest()).toEqual([false, false])
  await stage.moveClocks(HOUR)
  await attest()
  const { checkpoints, sequence: after } = await stage.client().chain.latest()
  expect(after).toBe(sequence)
  expect(checkpoints).toHaveLength(before.length + 1)
  expect(checkpoints.at(-1)).toMatchObject({ sequence, tree_size: sequence })
  expect((await stage.client().chain.verify()).fault).toBeNull()
  await stage.moveClocks(HOUR)
  expect(await attest()).toEqual([false, false])
})

test('a node that comes back goes on with the same ledger', async () => {
  const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
  await stage.stopNode(stage.node(1))
  await stage.startNode()
  const id = await postFree(poster)
  await claimAndDeliver(worker, id)
  await newAgent({ ...stage, client: (options = {}) => stage.client({ ...options, node: 1 }) })
  expect((await stage.client({ node: 1 }).chain.verify()).fault).toBeNull()
})

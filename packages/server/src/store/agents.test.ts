import { describe, expect, test } from 'vitest'
import { NOW, sampleAgent } from '../../tests/support/samples.ts'
import { addAgent, gate, storeBench } from '../../tests/support/store.ts'
import type { PayoutWallet } from '../domain/agent/agent.ts'

const bench = storeBench()

const wallet: PayoutWallet = {
  address: '0x00000000000000000000000000000000000000Aa',
  network: 'eip155:8453',
  kind: 'plain',
  verifiedAt: NOW,
  proof: { message: 'Guildhall payout wallet\n…', signature: '0x5160' },
}

test('an agent is read back as it was written, by id and by name key', async () => {
  const agent = sampleAgent({ wallet, bondBalance: 2n ** 60n, bondNetwork: 'eip155:137', lastSeenAt: NOW })
  expect(await bench.store.transaction((tx) => tx.insertAgent(agent, 'key one'))).toBe('inserted')
  expect(await bench.store.agent(agent.id)).toEqual(agent)
  expect(await bench.store.agentByNameKey('key one')).toEqual(agent)
  expect(await bench.store.agent('ag_nobody')).toBeNull()
})

test('an id and a name are taken once', async () => {
  const agent = sampleAgent()
  await bench.store.transaction((tx) => tx.insertAgent(agent, 'key two'))
  expect(await bench.store.transaction((tx) => tx.insertAgent(agent, 'key three'))).toBe('id_taken')
  expect(await bench.store.transaction((tx) => tx.insertAgent(sampleAgent(), 'key two'))).toBe('name_taken')
})

test('of two agents that register one name at once, one gets it', async () => {
  const register = (store: typeof bench.store) =>
    store.transaction((tx) => tx.insertAgent(sampleAgent(), 'wanted by both'))
  const outcomes = await Promise.all([register(bench.store), register(bench.other)])
  expect(outcomes.sort()).toEqual(['inserted', 'name_taken'])
})

test('a profile is replaced, and a rename into a taken name is refused', async () => {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const profile = { ...agent.profile, name: 'Renamed', capabilities: ['Rust'], skills: [], homepage: null }
  expect(await bench.store.transaction((tx) => tx.updateProfile(agent.id, profile, 'renamed'))).toBe('updated')
  expect((await bench.store.agent(agent.id))?.profile).toEqual(profile)
  const rival = await bench.store.transaction((tx) => addAgent(tx))
  expect(await bench.store.transaction((tx) => tx.updateProfile(rival.id, profile, 'renamed'))).toBe('name_taken')
})

test('of two agents that rename themselves alike at once, one succeeds and one is told', async () => {
  const [one, two] = await bench.store.transaction(async (tx) => [await addAgent(tx), await addAgent(tx)] as const)
  const bothWrote = gate()
  let runs = 0
  const rename = async (store: typeof bench.store, agent: typeof one) =>
    store.transaction(async (tx) => {
      await tx.agent(agent.id)
      if (++runs === 2) bothWrote.open()
      await bothWrote.opened
      return tx.updateProfile(agent.id, agent.profile, 'same name')
    })
  const outcomes = await Promise.all([rename(bench.store, one), rename(bench.other, two)])
  expect(outcomes.sort()).toEqual(['name_taken', 'updated'])
})

test('a wallet is set and cleared as a whole', async () => {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  await bench.store.transaction((tx) => tx.setWallet(agent.id, wallet))
  expect((await bench.store.agent(agent.id))?.wallet).toEqual(wallet)
  await bench.store.transaction((tx) => tx.setWallet(agent.id, null))
  expect((await bench.store.agent(agent.id))?.wallet).toBeNull()
  const half = bench.sql.query(`update agents set wallet_address = '0xaa' where id = $1`, [agent.id])
  await expect(half).rejects.toThrow('half a wallet')
})

test('counts add up, also when many add at once', async () => {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const count = (store: typeof bench.store) =>
    store.transaction((tx) => tx.countForAgent(agent.id, { delivered: 1, ratingCount: 1, ratingSum: 5 }))
  await Promise.all(Array.from({ length: 10 }, (_, index) => count(index % 2 ? bench.store : bench.other)))
  const { track } = (await bench.store.agent(agent.id)) ?? agent
  expect(track).toEqual({ ...agent.track, delivered: 10, ratingCount: 10, ratingSum: 50 })
})

test('a bond never goes below zero and stays on its network until it is used up', async () => {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const adjust = (network: string, change: bigint) =>
    bench.store.transaction((tx) => tx.adjustBond(agent.id, network, change))
  await adjust('eip155:137', 3n)
  await expect(adjust('eip155:137', -4n)).rejects.toThrow('bond_balance')
  await expect(adjust('eip155:8453', 1n)).rejects.toThrow('is not on eip155:8453')
  await adjust('eip155:137', -3n)
  await adjust('eip155:8453', 7n)
  expect(await bench.store.agent(agent.id)).toMatchObject({ bondBalance: 7n, bondNetwork: 'eip155:8453' })
})

test('a locked agent is counted by one transaction at a time', async () => {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const order: string[] = []
  const held = gate()
  const first = bench.store.transaction(async (tx) => {
    await tx.lockAgent(agent.id)
    held.open()
    await tx.countForAgent(agent.id, { accepted: 1 })
    order.push('first')
  })
  await held.opened
  const second = bench.other.transaction(async (tx) => {
    order.push(`second saw ${(await tx.lockAgent(agent.id))?.track.accepted}`)
  })
  await Promise.all([first, second])
  expect(order).toEqual(['first', 'second saw 1'])
})

describe('the database itself refuses an agent', () => {
  const counts = ['delivered', 'accepted', 'disputed', 'accepted_by_person', 'expired_claims', 'lost_disputes']
  const wallet = `wallet_address = 'a', wallet_network = 'b', wallet_verified_at = now(), wallet_message = 'c', wallet_signature = 'd'`
  test.each<readonly [change: string, why: string]>([
    ...[...counts, 'rating_count', 'rating_sum'].map((count) => [`${count} = -1`, 'a count below zero'] as const),
    ['bond_balance = -1', 'bond_balance'],
    ['bond_balance = 1, bond_network = null', 'a bond on no network'],
    [`status = 'asleep'`, 'status'],
    [`status = 'suspended'`, 'suspended from nowhere'],
    [`suspended_from = 'active'`, 'suspended from nowhere'],
    [`status = 'suspended', suspended_from = 'suspended'`, 'suspended_from'],
    [`wallet_kind = 'plain'`, 'half a wallet'],
    [wallet, 'half a wallet'],
    [`${wallet}, wallet_kind = 'paper'`, 'wallet_kind'],
  ])('with %s', async (change, why) => {
    const agent = await bench.store.transaction((tx) => addAgent(tx))
    const update = bench.sql.query(`update agents set ${change} where id = $1`, [agent.id])
    await expect(update).rejects.toThrow(`agent ${agent.id} cannot be so: ${why}`)
  })
})

import { expect, test } from 'vitest'
import { NOW, sampleAuthorization, sampleTransfer } from '../../../tests/support/samples.ts'
import { addAgent, silentLog, storeBench } from '../../../tests/support/store.ts'
import type { Agent } from '../../domain/agent/agent.ts'
import type { Hex } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { creditBond } from './credit-bond.ts'
import { takeBondBack } from './take-bond-back.ts'

const BASE = 'eip155:8453'
const POLYGON = 'eip155:137'
const bench = storeBench()
let made = 0
const world = {
  clock: { now: () => NOW },
  random: { bytes: (count: number) => new Uint8Array(count).fill(++made) },
  log: silentLog,
} as unknown as World

async function standing({ id }: Agent) {
  const agent = await bench.store.agent(id)
  return { balance: agent?.bondBalance, network: agent?.bondNetwork, owed: await bench.store.bondDebt(id, BASE) }
}

const inOne = (work: (tx: Transaction) => Promise<void>) => bench.store.transaction(work)

const bondOf = ({ id }: Agent, value: bigint) =>
  sampleTransfer({ purpose: 'bond', agentId: id, authorization: sampleAuthorization({ network: BASE, value }) })

test('when a bond is reorged away, the house bears what was slashed or withdrawn of it, until the bond is there again', async () => {
  const agent = await inTheBooks({ bondBalance: 2n, bondNetwork: BASE })
  const bond = bondOf(agent, 5n)
  await inOne((tx) => takeBondBack(world, tx, bond))
  expect(await standing(agent)).toEqual({ balance: 0n, network: BASE, owed: 3n })
  await inOne((tx) => creditBond(world, tx, bondOf(agent, 1n)))
  expect(await standing(agent)).toEqual({ balance: 0n, network: BASE, owed: 2n })
  await inOne((tx) => creditBond(world, tx, bond))
  expect(await standing(agent)).toEqual({ balance: 3n, network: BASE, owed: 0n })
  await inOne((tx) => creditBond(world, tx, bondOf(agent, 4n)))
  expect(await standing(agent)).toEqual({ balance: 7n, network: BASE, owed: 0n })
})

test('the reorg of a bond that was withdrawn does not touch a later bond on another network', async () => {
  const agent = await inTheBooks({ bondBalance: 9n, bondNetwork: POLYGON })
  const bond = bondOf(agent, 5n)
  await inOne((tx) => takeBondBack(world, tx, bond))
  expect(await standing(agent)).toEqual({ balance: 9n, network: POLYGON, owed: 5n })
  await inOne((tx) => creditBond(world, tx, bond))
  expect(await standing(agent)).toEqual({ balance: 9n, network: POLYGON, owed: 0n })
})

test('the reorg of a bond calls off its unsigned withdrawal, and leaves a later bond on another network alone', async () => {
  const agent = await inTheBooks({ bondBalance: 9n, bondNetwork: POLYGON })
  const withdrawal = sampleTransfer({ ...bondOf(agent, 5n), purpose: 'withdrawal', signature: null })
  await inOne(async (tx) => {
    await tx.insertTransfer(withdrawal)
    await takeBondBack(world, tx, bondOf(agent, 5n))
  })
  expect(await standing(agent)).toEqual({ balance: 9n, network: POLYGON, owed: 0n })
  expect((await bench.store.transfer(withdrawal.id))?.state).toBe('dead')
})

test('unsigned withdrawals are called off before the house bears anything, and no more of them than needed', async () => {
  const agent = await inTheBooks({ bondBalance: 1n, bondNetwork: BASE })
  const withdrawal = (value: bigint, signature: Hex | null = null) =>
    sampleTransfer({ ...bondOf(agent, value), purpose: 'withdrawal', signature })
  const [signed, first, second, third] = [withdrawal(8n, '0x5160'), withdrawal(2n), withdrawal(2n), withdrawal(2n)]
  await inOne(async (tx) => {
    for (const transfer of [signed, first, second, third]) await tx.insertTransfer(transfer)
    await takeBondBack(world, tx, bondOf(agent, 4n))
  })
  expect(await standing(agent)).toEqual({ balance: 1n, network: BASE, owed: 0n })
  const states = await Promise.all([signed, first, second, third].map(({ id }) => bench.store.transfer(id)))
  expect(states.map((transfer) => transfer?.state)).toEqual(['intended', 'dead', 'dead', 'intended'])
})

async function inTheBooks({ bondBalance, bondNetwork }: { bondBalance: bigint; bondNetwork: string }): Promise<Agent> {
  return bench.store.transaction(async (tx) => {
    const agent = await addAgent(tx)
    await tx.adjustBond(agent.id, bondNetwork, bondBalance)
    return agent
  })
}

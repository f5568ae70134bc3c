import { expect, test } from 'vitest'
import { NOW, sampleAuthorization, sampleTransfer } from '../../../tests/support/samples.ts'
import { stillWorld } from '../../../tests/support/still-world.ts'
import { addAgent, storeBench } from '../../../tests/support/store.ts'
import { concludeTransfer } from './conclude-transfer.ts'

const BASE = 'eip155:8453'
const POLYGON = 'eip155:137'
const bench = storeBench()

/** The withdrawal of a bond on Base has run out unused; its agent has a bond on this network by then. */
async function runOut(bond: { readonly network: string; readonly balance: bigint }) {
  const { withdrawal, agentId } = await bench.store.transaction(async (tx) => {
    const { id } = await addAgent(tx)
    await tx.adjustBond(id, bond.network, bond.balance)
    const authorization = sampleAuthorization({ network: BASE, value: 5n })
    const made = sampleTransfer({ purpose: 'withdrawal', agentId: id, authorization })
    await tx.insertTransfer(made)
    return { withdrawal: made, agentId: id }
  })
  const leased = await bench.store.transaction((tx) => tx.leaseTransfer(withdrawal.id, NOW, NOW + 1_000))
  if (leased === null) throw new Error('The withdrawal was not leased.')
  const unused = { kind: 'unused', finalTime: withdrawal.authorization.validBefore, head: 200n } as const
  await concludeTransfer(stillWorld(bench.store), leased, unused, null)
  const agent = await bench.store.agent(agentId)
  return {
    withdrawal: await bench.store.transfer(withdrawal.id),
    bond: { network: agent?.bondNetwork, balance: agent?.bondBalance },
  }
}

test('a withdrawal that ran out is credited to the bond on its network', async () => {
  const { withdrawal, bond } = await runOut({ network: BASE, balance: 2n })
  expect(withdrawal?.state).toBe('dead')
  expect(bond).toEqual({ network: BASE, balance: 7n })
})

test.each([9n, 0n])('it is signed once more when a bond of %d has begun on another network since', async (balance) => {
  const { withdrawal, bond } = await runOut({ network: POLYGON, balance })
  expect(withdrawal).toMatchObject({ state: 'intended', signature: null, authorization: { validBefore: 0n } })
  expect(bond).toEqual({ network: POLYGON, balance })
})

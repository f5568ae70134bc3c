import { expect, test } from 'vitest'
import { NOW, sampleTask } from '../../../tests/support/samples.ts'
import { addAgent, silentLog, storeBench } from '../../../tests/support/store.ts'
import type { World } from '../../ports/world.ts'
import { lapseClaims } from './lapse-claims.ts'

const BASE = 'eip155:8453'
const bench = storeBench()
let made = 0

const worldOf = (isTrusted: boolean) =>
  ({
    clock: { now: () => NOW },
    random: { bytes: (count: number) => new Uint8Array(count).fill(++made) },
    log: silentLog,
    ledger: { isTrusted: () => isTrusted },
    store: bench.store,
    rules: { bondSlotAtomic: 1n },
    mailer: null,
  }) as unknown as World

/** An agent with a bond of two slots and a claim whose time is over. */
const overdue = () =>
  bench.store.transaction(async (tx) => {
    const agent = await addAgent(tx)
    await tx.adjustBond(agent.id, BASE, 2n)
    const claim = { claimedBy: agent.id, claimedAt: NOW - 2, claimExpiresAt: NOW - 1 }
    const task = sampleTask({ status: 'claimed', announced: true, ...claim })
    await tx.insertTask(task)
    return { agent, task }
  })

const standing = async ({ agent, task }: Awaited<ReturnType<typeof overdue>>) => [
  (await bench.store.task(task.id))?.status,
  (await bench.store.agent(agent.id))?.bondBalance,
]

test('an overdue claim is expired, and costs a slot of the bond', async () => {
  const late = await overdue()
  await lapseClaims(worldOf(true), late.agent.id)
  expect(await standing(late)).toEqual(['open', 1n])
})

test('on an older copy of the database no claim is expired, and no bond slashed', async () => {
  const late = await overdue()
  await expect(lapseClaims(worldOf(false), late.agent.id)).rejects.toMatchObject({ code: 'service_unavailable' })
  expect(await standing(late)).toEqual(['claimed', 2n])
})

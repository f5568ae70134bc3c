import { SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW } from '../../tests/support/samples.ts'
import { stillWorld } from '../../tests/support/still-world.ts'
import { storeBench } from '../../tests/support/store.ts'
import type { World } from '../ports/world.ts'
import { runUntilQuiet } from './run-until-quiet.ts'

const bench = storeBench()

/** A world in which a second passes with every look for payments that are due. */
function worldOf(dueTransfers: (by: number, now: number) => readonly string[]) {
  let now = NOW
  let looks = 0
  const store = {
    ...bench.store,
    async dueTransfers(by: number) {
      // The look for attempts that are still running asks for the next ten minutes.
      if (by > now) return []
      looks += 1
      const due = dueTransfers(by, now)
      now += SECOND
      return due
    },
  }
  const world = {
    ...stillWorld(store),
    clock: { now: () => now },
    timer: {
      elapsed: () => now,
      after(_: number, ring: () => void) {
        setImmediate(ring)
        return () => {}
      },
    },
    rules: { networks: [{ network: 'eip155:8453' }] },
    ledger: { sealPending: async () => 0, attestHead: async () => null },
    mailer: null,
    escrow: null,
    owners: null,
  } as unknown as World
  return { world, looks: () => looks }
}

test('moving the clock does not wait for payments that requests set going meanwhile', async () => {
  const { world, looks } = worldOf((by, now) => (by === now ? ['tr_of_a_request'] : []))
  await runUntilQuiet(world)
  expect(looks()).toBeLessThan(10)
})

test('moving the clock runs everything that fell due, however long that takes', async () => {
  let left = 50
  const { world } = worldOf(() => (left-- > 0 ? ['tr_that_fell_due'] : []))
  await runUntilQuiet(world)
  expect(left).toBeLessThan(0)
})

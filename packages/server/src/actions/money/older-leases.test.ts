import { expect, test } from 'vitest'
import { NOW, sampleTransfer } from '../../../tests/support/samples.ts'
import { stillWorld } from '../../../tests/support/still-world.ts'
import { storeBench } from '../../../tests/support/store.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { concludeTransfer } from './conclude-transfer.ts'
import { postpone } from './postpone.ts'
import { queuePayout } from './queue-payout.ts'
import { reservePayout } from './reserve-payout.ts'

const bench = storeBench()
const worldOf = () => stillWorld(bench.store)

const steps: readonly (readonly [string, (leased: Transfer) => Promise<unknown>])[] = [
  ['writes no outcome', (leased) => concludeTransfer(worldOf(), leased, { kind: 'unreachable', cause: 'away' }, null)],
  ['puts nothing off', (leased) => postpone(worldOf(), leased, 'the chain cannot be reached')],
  ['queues nothing', (leased) => queuePayout(worldOf(), leased, 'payouts are paused')],
  ['reserves nothing', (leased) => reservePayout(worldOf(), leased, 1n)],
]

test.each(steps)('a node that slept until another one had leased the transfer %s', async (_, step) => {
  const transfer = sampleTransfer({ purpose: 'withdrawal', signature: null })
  await bench.store.transaction((tx) => tx.insertTransfer(transfer))
  const lease = async (at: number) => {
    const leased = await bench.store.transaction((tx) => tx.leaseTransfer(transfer.id, at, at + 1_000))
    if (leased === null) throw new Error('The transfer was not leased.')
    return leased
  }
  const [slept, newest] = [await lease(NOW), await lease(NOW + 1_000)]
  await step(slept)
  expect(await bench.store.transfer(transfer.id)).toEqual(newest)
  await step(newest)
  expect(await bench.store.transfer(transfer.id)).not.toEqual(newest)
})

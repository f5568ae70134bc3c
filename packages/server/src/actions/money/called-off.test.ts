import { expect, test } from 'vitest'
import { NOW, sampleTransfer } from '../../../tests/support/samples.ts'
import { stillWorld } from '../../../tests/support/still-world.ts'
import { storeBench } from '../../../tests/support/store.ts'
import { concludeTransfer } from './conclude-transfer.ts'
import { postpone } from './postpone.ts'

const bench = storeBench()
const worldOf = () => stillWorld(bench.store)

/** A node holds the lease when another ends the transfer, as a bond that the chain takes back does with a withdrawal. */
async function endedUnderLease() {
  const transfer = sampleTransfer({ purpose: 'withdrawal', state: 'intended', signature: null })
  await bench.store.transaction((tx) => tx.insertTransfer(transfer))
  const leased = await bench.store.transaction((tx) => tx.leaseTransfer(transfer.id, NOW, NOW + 1_000))
  if (leased === null) throw new Error('The transfer was not leased.')
  const ended = { ...leased, state: 'dead', lastError: 'called off', nextAttemptAt: null, leaseUntil: null } as const
  await bench.store.transaction((tx) => tx.saveTransfer(ended))
  return { leased, ended }
}

test('a node that still holds the lease of a transfer that was called off does not postpone it', async () => {
  const { leased, ended } = await endedUnderLease()
  await postpone(worldOf(), leased, 'the chain cannot be reached')
  expect(await bench.store.transfer(leased.id)).toEqual(ended)
})

test('nothing is concluded about a transfer that was called off', async () => {
  const { leased, ended } = await endedUnderLease()
  await concludeTransfer(worldOf(), leased, { kind: 'unreachable', cause: 'away' }, null)
  expect(await bench.store.transfer(leased.id)).toEqual(ended)
})

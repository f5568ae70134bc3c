import { expect, test } from 'vitest'
import { silentLog } from '../../tests/support/store.ts'
import type { Seal } from '../domain/ledger/ledger.ts'
import { createLedger } from './create-ledger.ts'

type Parts = Parameters<typeof createLedger>[0]

/** A ledger whose batches take everything that is pending, and no longer than a promise. */
function aLedger() {
  const pending: string[] = []
  let sequence = 0
  const asked: string[] = []
  const sealing = async () => {
    asked.push('sealing')
    const seals = new Map(pending.splice(0).map((id): [string, Seal] => [id, { sequence: ++sequence, entryHash: id }]))
    return { seals, checkpoints: [], head: { sequence, entryHash: 'last' } }
  }
  const hasPending = async () => {
    asked.push('hasPending')
    return pending.length > 0
  }
  const store = { sealing, hasPending, seal: async () => null } as Pick<Parts['store'], 'seal'> as Parts['store']
  const record = { read: () => null, write() {}, keepCheckpoint: async () => {} }
  const timer = { after: () => () => {}, elapsed: () => 0 }
  const ledger = createLedger({ store, clock: { now: () => 0 }, timer, log: silentLog, attest: () => 'signed', record })
  return {
    append(...ids: readonly string[]) {
      pending.push(...ids)
      return Promise.all(ids.map(ledger.sealed))
    },
    asked,
  }
}

test.each([0, 1, 2, 3, 4, 5])(
  'an entry that is appended %i ticks after the last seal is sealed at once, even while the pass before it ends',
  async (ticks) => {
    const ledger = aLedger()
    await ledger.append('first')
    for (let tick = 0; tick < ticks; tick++) await null
    let seal: Seal | null = null
    void ledger.append('second').then(([made = null]) => {
      seal = made
    })
    await new Promise(setImmediate)
    expect(seal).toEqual({ sequence: 2, entryHash: 'second' })
  },
)

test('entries that are appended together are sealed by one batch, and no other is tried', async () => {
  const ledger = aLedger()
  const sealed = await ledger.append('a', 'b', 'c')
  expect(sealed.map((seal) => seal?.entryHash)).toEqual(['a', 'b', 'c'])
  await new Promise(setImmediate)
  expect(ledger.asked).toEqual(['sealing'])
})

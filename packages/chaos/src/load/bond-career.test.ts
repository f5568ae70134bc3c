import type { Guildhall } from '@guildhall/sdk'
import { expect, test } from 'vitest'
import { createChance } from '../chance.ts'
import { putUpBond, takeBondBack } from './bond-career.ts'
import { createGate } from './gate.ts'
import { openNotebook, type Person } from './notebook.ts'

/** The calls that reach the service when a bond is put up, credited by so much, and then asked back. */
async function callsWith(credited: string): Promise<readonly string[]> {
  const calls: string[] = []
  const call = async (name: string) => {
    calls.push(name)
    return { credited_atomic: credited }
  }
  const client = { call } as unknown as Guildhall
  const counts = { bondsAsked: 0, bondsTold: 0, withdrawalsAsked: 0, withdrawalsTold: 0, accepted: 0 }
  const worker: Person = {
    id: 'worker',
    wallet: '0x',
    given: 0n,
    clients: [client, client],
    reader: client,
    ...counts,
  }
  const gate = createGate()
  gate.open()
  const crowd = { gate, chance: createChance(1), notebook: openNotebook([worker]) }
  await putUpBond(crowd, worker)
  await takeBondBack(crowd, worker)
  return calls
}

test('a bond that was credited is asked back', async () => {
  expect(await callsWith('1000000')).toEqual(['postBond', 'withdrawBond'])
})

test('a bond whose payment is not proven yet is not asked back', async () => {
  expect(await callsWith('0')).toEqual(['postBond'])
})

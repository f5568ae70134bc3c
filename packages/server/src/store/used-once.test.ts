import { expect, test } from 'vitest'
import { NOW } from '../../tests/support/samples.ts'
import { gate, storeBench } from '../../tests/support/store.ts'

const bench = storeBench()
const hashOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

test('a signature counts once, also when it is sent to two nodes at once', async () => {
  const burn = (store: typeof bench.store) => store.transaction((tx) => tx.burnSignature(hashOf(1), NOW))
  const burnt = await Promise.all(Array.from({ length: 20 }, (_, i) => burn(i % 2 ? bench.store : bench.other)))
  expect(burnt.filter(Boolean)).toHaveLength(1)
})

test('a signature whose change was rolled back may be sent again', async () => {
  const burnt = gate()
  const failing = bench.store.transaction(async (tx) => {
    await tx.burnSignature(hashOf(2), NOW)
    burnt.open()
    throw new Error('no')
  })
  await burnt.opened
  const second = bench.other.transaction((tx) => tx.burnSignature(hashOf(2), NOW))
  await expect(failing).rejects.toThrow('no')
  expect(await second).toBe(true)
})

test('a wallet nonce counts once for each purpose', async () => {
  const burn = (purpose: 'payout wallet' | 'task action') =>
    bench.store.transaction((tx) => tx.burnWalletNonce(purpose, 'nonce-123', NOW))
  expect([await burn('payout wallet'), await burn('payout wallet'), await burn('task action')]).toEqual([
    true,
    false,
    true,
  ])
})

test('a challenge is used once, and a new one ends the older of the same key', async () => {
  const challenge = { id: 'c1', publicKey: 'key', text: 'text', difficulty: 12, expiresAt: NOW }
  await bench.store.transaction((tx) => tx.saveChallenge(challenge))
  await bench.store.transaction((tx) => tx.saveChallenge({ ...challenge, id: 'c2' }))
  const take = (id: string, store = bench.store) => store.transaction((tx) => tx.takeChallenge(id))
  expect(await take('c1')).toBeNull()
  const taken = await Promise.all([take('c2'), take('c2', bench.other)])
  expect(taken.filter((found) => found !== null)).toEqual([{ ...challenge, id: 'c2' }])
})

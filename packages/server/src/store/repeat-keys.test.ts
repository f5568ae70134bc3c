import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { storeBench } from '../../tests/support/store.ts'
import type { RepeatKey } from '../domain/idempotency/held-key.ts'

const bench = storeBench()
const NOW = 1_800_000_000_000
const LEASE = 1_000
const KEPT = 10_000

const newKey = (): RepeatKey => ({ id: randomBytes(32), request: randomBytes(32), payment: null })
const hold = (key: RepeatKey, holder: string, now = NOW) =>
  bench.store.transaction((tx) => tx.holdKey(key, holder, { now, leaseUntil: now + LEASE, expiresAt: now + KEPT }))
const commit = ({ id }: RepeatKey, holder: string) => bench.store.transaction((tx) => tx.commitKey({ id, holder }))
const keep = ({ id }: RepeatKey, holder: string, answer: Uint8Array) =>
  bench.store.transaction((tx) => tx.keepAnswer({ id, holder }, answer))
const release = ({ id }: RepeatKey, holder: string) => bench.store.transaction((tx) => tx.releaseKey({ id, holder }))

describe('a key', () => {
  test('is held by one of fifty who want it at once', async () => {
    const key = newKey()
    const held = await Promise.all(Array.from({ length: 50 }, () => hold(key, randomUUID())))
    expect(held.filter(Boolean)).toHaveLength(1)
  })

  test('is kept with its request, its payment and its answer', async () => {
    const key = { ...newKey(), payment: randomBytes(32) }
    const holder = randomUUID()
    await hold(key, holder)
    await commit(key, holder)
    await keep(key, holder, Buffer.from('sealed'))
    expect(await bench.other.repeatKey(key.id)).toEqual({
      request: key.request,
      payment: key.payment,
      leaseUntil: NOW + LEASE,
      committed: true,
      answer: Buffer.from('sealed'),
    })
  })

  test('goes to the next one when the lease is over, and the one before can neither commit nor answer nor release', async () => {
    const key = newKey()
    const [slow, next] = [randomUUID(), randomUUID()]
    await hold(key, slow)
    expect(await hold(key, next, NOW + LEASE - 1)).toBe(false)
    const another = { ...key, request: randomBytes(32) }
    expect(await hold(another, next, NOW + LEASE)).toBe(true)
    expect(await commit(key, slow)).toBe(false)
    await keep(key, slow, Buffer.from('late'))
    await release(key, slow)
    expect(await bench.store.repeatKey(key.id)).toMatchObject({ request: another.request, answer: null })
    expect(await commit(key, next)).toBe(true)
  })

  test('that was committed or answered is not taken over before it is forgotten', async () => {
    for (const finish of [commit, (key: RepeatKey, holder: string) => keep(key, holder, Buffer.from('sealed'))]) {
      const key = newKey()
      const holder = randomUUID()
      await hold(key, holder)
      await finish(key, holder)
      expect(await hold(key, randomUUID(), NOW + KEPT - 1)).toBe(false)
      expect(await hold(key, randomUUID(), NOW + KEPT)).toBe(true)
      expect(await bench.store.repeatKey(key.id)).toMatchObject({ committed: false, answer: null })
    }
  })

  test('is free at once when it is released, unless its change was committed', async () => {
    const [unused, used] = [newKey(), newKey()]
    const holder = randomUUID()
    for (const key of [unused, used]) await hold(key, holder)
    await commit(used, holder)
    for (const key of [unused, used]) await release(key, holder)
    expect(await bench.store.repeatKey(unused.id)).toBe(null)
    expect(await bench.store.repeatKey(used.id)).toMatchObject({ committed: true })
  })

  test('is marked with the change or not at all', async () => {
    const key = newKey()
    const holder = randomUUID()
    await hold(key, holder)
    const failing = bench.store.transaction(async (tx) => {
      await tx.commitKey({ id: key.id, holder })
      throw new Error('the change fails')
    })
    await expect(failing).rejects.toThrow('the change fails')
    expect(await bench.store.repeatKey(key.id)).toMatchObject({ committed: false })
  })

  test('is forgotten when its day is over', async () => {
    const key = newKey()
    await hold(key, randomUUID())
    await bench.store.transaction((tx) => tx.forgetExpired(NOW + KEPT - 1))
    expect(await bench.store.repeatKey(key.id)).not.toBe(null)
    await bench.store.transaction((tx) => tx.forgetExpired(NOW + KEPT))
    expect(await bench.store.repeatKey(key.id)).toBe(null)
  })
})

import { HOUR } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleId } from '../../../tests/support/samples.ts'
import { storeBench } from '../../../tests/support/store.ts'
import type { World } from '../../ports/world.ts'
import { signOut } from './sign-out.ts'

const bench = storeBench()

test('whoever signs out twice at once is signed out, and is told nothing else', async () => {
  const world = { store: bench.store, ledger: { isTrusted: () => true } } as unknown as World
  const caller = await bench.store.transaction(async (tx) => {
    const owner = await tx.ensureOwner({ id: sampleId('own'), email: 'ada@example.org', createdAt: NOW })
    const session = { id: sampleId('ses'), ownerId: owner.id, createdAt: NOW, expiresAt: NOW + HOUR }
    await tx.insertSession(session, 'ab'.repeat(32))
    return { owner, session, csrfToken: '' }
  })
  await Promise.all([signOut(world, caller), signOut(world, caller)])
  expect(await bench.store.ownerSessions(caller.owner.id, NOW)).toEqual([])
})

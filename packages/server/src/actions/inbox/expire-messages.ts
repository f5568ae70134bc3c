import { MessageStatus } from '@guildhall/protocol'
import { messageAfter } from '../../domain/message/lifecycle.ts'
import type { World } from '../../ports/world.ts'

const BATCH = 500

/** Marks expired messages; returns the number looked at. */
export async function expireMessages(world: World): Promise<number> {
  const now = world.clock.now()
  const ids = await world.store.dueMessages(now, BATCH)
  if (ids.length === 0) return 0
  await world.store.transaction(async (tx) => {
    for (const from of MessageStatus.options) {
      const to = messageAfter(from, 'expires')
      if (to !== null) await tx.moveMessages(ids, from, to, now)
    }
  })
  return ids.length
}

import type { Instant } from '../../domain/instant.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'

export type Letter = {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** After this there is no use in sending it. */
  readonly expiresAt: Instant
}

/** Queues a mail in the transaction of the change: no change without its mail, no mail without its change. */
export async function addMail(world: Pick<World, 'clock' | 'random'>, tx: Transaction, letter: Letter): Promise<void> {
  await tx.insertMail({ id: newId(world, 'mail'), ...letter, createdAt: world.clock.now() })
}

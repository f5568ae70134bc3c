import { limits, MINUTE, SECOND } from '@guildhall/protocol'
import type { Caller } from '../domain/caller.ts'
import { refuse } from '../domain/refusal.ts'
import type { Transaction } from '../ports/store.ts'
import type { World } from '../ports/world.ts'
import { allInOrder } from './all-in-order.ts'
import { useKey } from './hold-key.ts'

/** One transaction that uses up the caller's signature and its Idempotency-Key together with the change: all or nothing. */
export const signedChange = <T>(world: World, caller: Caller, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  changeOf(world, signed(world, caller, work))

/** The same for a change that locks nothing but these subjects: its commit may be shared with other changes. */
export const sharedSignedChange = <T>(
  world: World,
  caller: Caller,
  subjects: readonly string[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => sharedChangeOf(world, subjects, signed(world, caller, work))

const signed =
  <T>(world: World, caller: Caller, work: (tx: Transaction) => Promise<T>) =>
  async (tx: Transaction): Promise<T> => {
    const [, done] = await allInOrder(burnSignature(tx, caller), work(tx))
    await noteSeen(world, tx, caller)
    return done
  }

export async function changeOf<T>(world: World, work: (tx: Transaction) => Promise<T>): Promise<T> {
  refuseUnlessTrusted(world)
  return world.store.transaction(work)
}

export async function sharedChangeOf<T>(
  world: World,
  subjects: readonly string[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  refuseUnlessTrusted(world)
  return world.store.sharedTransaction(subjects, work)
}

/** A node that has found its database to be an older copy accepts no changes: they would fork the ledger. */
function refuseUnlessTrusted({ ledger }: World): void {
  if (!ledger.isTrusted()) refuse('service_unavailable')
}

/** Kept until the timestamp is out of range on every node, with a margin for clocks that disagree. */
export async function burnSignature(tx: Transaction, { signature, held }: Caller): Promise<void> {
  await allInOrder(useKey(tx, held), burn(tx, signature))
}

async function burn(tx: Transaction, signature: Caller['signature']): Promise<void> {
  const expiresAt = (signature.timestamp + 10 * limits.agentSignature.skewSeconds) * SECOND
  if (!(await tx.burnSignature(signature.hash, expiresAt))) refuse('signature_replayed')
}

const SEEN_EVERY_MS = 5 * MINUTE

/**
 * A change shows that the agent is active; noted every few minutes at most, because it is a write more. Last, because the agent's
 * row stays locked until the commit.
 */
export async function noteSeen({ clock }: World, tx: Transaction, { agent }: Caller): Promise<void> {
  const now = clock.now()
  if (agent.lastSeenAt === null || now - agent.lastSeenAt >= SEEN_EVERY_MS) await tx.noteSeen(agent.id, now)
}

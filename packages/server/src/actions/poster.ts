import type { Agent } from '../domain/agent/agent.ts'
import type { Caller } from '../domain/caller.ts'
import type { HeldKey } from '../domain/idempotency/held-key.ts'
import type { OwnerCaller } from '../domain/owner/owner.ts'
import type { Actor } from '../domain/task/facts.ts'
import type { Creator } from '../domain/task/task.ts'
import type { Transaction } from '../ports/store.ts'
import type { World } from '../ports/world.ts'
import { allInOrder } from './all-in-order.ts'
import { burnForm, type SentForm } from './burn-form.ts'
import { useKey } from './hold-key.ts'
import { burnSignature, changeOf, noteSeen, sharedChangeOf } from './signed-change.ts'

/**
 * The one who posted a task and decides on it: an agent by its signature, a wallet by its token or signature, a person by a
 * session.
 */
export type Poster = Creator & {
  /** The posting agent, whose status and limits are checked; null for a wallet or a person. */
  readonly agent: Agent | null
  /** The signature that is recorded with an acceptance; null with a token or a session. */
  readonly signature: string | null
  /** Uses up the proof in the transaction of the change. */
  burn(tx: Transaction): Promise<void>
  /** Notes that the agent was active, after everything else. */
  noteSeen?(world: World, tx: Transaction): Promise<void>
}

export const agentAsPoster = (caller: Caller): Poster => ({
  kind: 'agent',
  id: caller.agent.id,
  agent: caller.agent,
  signature: caller.signature.text,
  burn: (tx) => burnSignature(tx, caller),
  noteSeen: (world, tx) => noteSeen(world, tx, caller),
})

/** A person has a session and no signature: only the request's key is used up. */
export const ownerAsPoster = ({ owner, held }: OwnerCaller): Poster => ({
  kind: 'owner',
  id: owner.id,
  agent: null,
  signature: null,
  burn: (tx) => useKey(tx, held),
})

/** The same poster, with the Idempotency-Key of its request. */
export const posterHolding = (poster: Poster, held: HeldKey): Poster => ({
  ...poster,
  async burn(tx) {
    await allInOrder(useKey(tx, held), poster.burn(tx))
  },
})

/** The same poster, with a form that counts once. */
export const posterOnce = (poster: Poster, form: SentForm): Poster => ({
  ...poster,
  async burn(tx) {
    await allInOrder(burnForm(tx, form), poster.burn(tx))
  },
})

/** The poster as the lifecycle table sees it. */
export const asCreator = ({ id }: Poster): Actor => ({ kind: 'creator', id })

export const posterChange = <T>(world: World, poster: Poster, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  changeOf(world, byPoster(world, poster, work))

/** The same for a change that locks nothing: its commit may be shared with other changes. */
export const sharedPosterChange = <T>(
  world: World,
  poster: Poster,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => sharedChangeOf(world, [], byPoster(world, poster, work))

const byPoster =
  <T>(world: World, poster: Poster, work: (tx: Transaction) => Promise<T>) =>
  async (tx: Transaction): Promise<T> => {
    const [, done] = await allInOrder(poster.burn(tx), work(tx))
    await poster.noteSeen?.(world, tx)
    return done
  }

import type { PayoutWallet } from '../agent/agent.ts'
import type { Instant } from '../instant.ts'
import type { Rating, Task } from './task.ts'

/** Who pulls the trigger: an agent or a wallet by its id, or the clock. */
export type Actor = { readonly kind: 'creator' | 'agent' | 'clock'; readonly id: string | null }

/** What the rules may look at. Whoever calls them has read it in the transaction of the move. */
export type TaskFacts = {
  readonly task: Task
  readonly now: Instant
  readonly actor: Actor
  /** The payout wallet of the agent concerned: the claimer, or at acceptance the deliverer. */
  readonly wallet: PayoutWallet | null
  /** How many more claims the agent may hold. */
  readonly budgetLeft: number
  readonly budget: number
  /** The agent delivers for this task again, be it after a revision or under a later claim. */
  readonly deliversAgain: boolean
  readonly note: string | null
  readonly rating: Rating | null
  readonly signature: string | null
}

export const isCreator = ({ task, actor }: TaskFacts): boolean =>
  actor.kind === 'creator' && actor.id === task.creator.id

/** Whether the wallet can be paid on this network: a plain key everywhere, a contract only where it lives. */
export const paysOn = (wallet: PayoutWallet, network: string): boolean =>
  wallet.kind === 'plain' || wallet.network === network

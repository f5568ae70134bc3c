import type { PayoutWallet } from '../agent/agent.ts'
import type { Instant } from '../instant.ts'
import type { Rating, Task } from './task.ts'

/** Who causes the move: an agent or a wallet by its id, or the clock. */
export type Actor = { readonly kind: 'creator' | 'agent' | 'clock'; readonly id: string | null }

/** The facts that rules may use, read by the caller in the transaction of the move. */
export type TaskFacts = {
  readonly task: Task
  readonly now: Instant
  readonly actor: Actor
  /** The payout wallet of the claimer, or at acceptance of the deliverer. */
  readonly wallet: PayoutWallet | null
  /** How many more claims the agent may hold. */
  readonly budgetLeft: number
  readonly budget: number
  /** The agent has delivered for this task before: a revision, or a later claim. */
  readonly deliversAgain: boolean
  readonly note: string | null
  readonly rating: Rating | null
  readonly signature: string | null
}

export const isCreator = ({ task, actor }: TaskFacts): boolean =>
  actor.kind === 'creator' && actor.id === task.creator.id

/** Whether the wallet can be paid on this network: a plain key everywhere, a contract only on its own network. */
export const paysOn = (wallet: PayoutWallet, network: string): boolean =>
  wallet.kind === 'plain' || wallet.network === network

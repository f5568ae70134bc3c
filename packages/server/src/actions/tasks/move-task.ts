import { follow } from '../../domain/lifecycle.ts'
import type { Actor, TaskFacts } from '../../domain/task/facts.ts'
import { type TaskTrigger, taskLifecycle } from '../../domain/task/lifecycle.ts'
import { refuseUnknownTask } from '../../domain/task/refuse-unknown-task.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import type { HandedIn } from './append-receipt.ts'
import { type CarriedOut, carryOut } from './carry-out.ts'

type Move = {
  readonly trigger: TaskTrigger
  readonly actor: Actor
  readonly handedIn?: HandedIn | null
} & Partial<Omit<TaskFacts, 'task' | 'actor' | 'now'>>

/** Follows the lifecycle table and carries out all effects of the move. The task must be locked in this transaction. */
export async function moveTask(
  world: World,
  tx: Transaction,
  task: Task,
  { trigger, actor, handedIn = null, ...given }: Move,
): Promise<CarriedOut> {
  const facts = { ...NOTHING_GIVEN, ...given, task, actor, now: world.clock.now() }
  const followed = follow(taskLifecycle, task.status, trigger, facts)
  if (followed.kind === 'refused') throw followed.refusal
  const moved: Task = { ...task, ...followed.changes, status: followed.to }
  return carryOut(world, tx, moved, { effects: followed.effects, actorId: actor.id, handedIn })
}

const NOTHING_GIVEN = {
  wallet: null,
  budgetLeft: 0,
  budget: 0,
  deliversAgain: false,
  note: null,
  rating: null,
  signature: null,
}

const CLOCK: Actor = { kind: 'clock', id: null }

/** Locks a task and first applies its timer if that is due. */
export const lockTaskAsDue = async (world: World, tx: Transaction, taskId: string): Promise<Task> =>
  taskAsDue(world, tx, await tx.lockTask(taskId), taskId)

/** The same for a task that was already read and locked. */
export async function taskAsDue(world: World, tx: Transaction, found: Task | null, taskId: string): Promise<Task> {
  return catchUp(world, tx, found ?? refuseUnknownTask(taskId))
}

/** Applies the timer of the task's state when it is due; a timer that cannot act yet changes nothing. */
async function catchUp(world: World, tx: Transaction, task: Task): Promise<Task> {
  const trigger = dueTrigger(task, world.clock.now())
  if (trigger === null) return task
  const wallet = await delivererWallet(tx, task)
  const facts = { ...NOTHING_GIVEN, task, actor: CLOCK, wallet, now: world.clock.now() }
  if (follow(taskLifecycle, task.status, trigger, facts).kind === 'refused') return task
  return (await moveTask(world, tx, task, { trigger, actor: CLOCK, wallet })).task
}

function dueTrigger(task: Task, now: number): TaskTrigger | null {
  if (task.status === 'claimed' && task.claimExpiresAt !== null && now >= task.claimExpiresAt) return 'claim lapses'
  if (task.status === 'submitted' && task.autoReleaseAt !== null && now >= task.autoReleaseAt) return 'unreviewed'
  if (task.status === 'open' && task.expiresAt !== null && now >= task.expiresAt) return 'expires'
  return null
}

export const delivererWallet = async (tx: Transaction, task: Task) =>
  task.claimedBy === null ? null : ((await tx.agent(task.claimedBy))?.wallet ?? null)

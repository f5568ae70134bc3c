import type { Caller } from '../domain/caller.ts'
import type { Rating, Task } from '../domain/task/task.ts'
import type { World } from '../ports/world.ts'
import { lockTaskAsDue, moveTask } from './move-task.ts'
import { signedChange } from './signed-change.ts'

const creator = (caller: Caller) => ({ kind: 'creator', id: caller.agent.id }) as const

export const requestRevision = (world: World, caller: Caller, taskId: string, note: string): Promise<Task> =>
  signedChange(world, caller, async (tx) => {
    const task = await lockTaskAsDue(world, tx, taskId)
    return (await moveTask(world, tx, task, 'revision', creator(caller), { note })).task
  })

export type Dispute = { readonly reason: string; readonly stars: number | null; readonly comment: string | null }

export const disputeTask = (world: World, caller: Caller, taskId: string, dispute: Dispute): Promise<Task> =>
  signedChange(world, caller, async (tx) => {
    const task = await lockTaskAsDue(world, tx, taskId)
    const rating = ratingOf('dispute', dispute, world.clock.now())
    return (await moveTask(world, tx, task, 'dispute', creator(caller), { note: dispute.reason, rating })).task
  })

export const ratingOf = (
  context: Rating['context'],
  { stars, comment }: { readonly stars: number | null; readonly comment: string | null },
  at: number,
): Rating | null => (stars === null ? null : { stars, comment, context, at })

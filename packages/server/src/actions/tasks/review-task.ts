import type { Rating, Task } from '../../domain/task/task.ts'
import type { World } from '../../ports/world.ts'
import { asCreator, type Poster, posterChange } from '../poster.ts'
import { lockTaskAsDue, moveTask } from './move-task.ts'

export const requestRevision = (world: World, poster: Poster, taskId: string, note: string): Promise<Task> =>
  posterChange(world, poster, async (tx) => {
    const task = await lockTaskAsDue(world, tx, taskId)
    return (await moveTask(world, tx, task, { trigger: 'revision', actor: asCreator(poster), note })).task
  })

export type Dispute = { readonly reason: string; readonly stars: number | null; readonly comment: string | null }

export const disputeTask = (world: World, poster: Poster, taskId: string, dispute: Dispute): Promise<Task> =>
  posterChange(world, poster, async (tx) => {
    const task = await lockTaskAsDue(world, tx, taskId)
    const rating = ratingOf('dispute', dispute, world.clock.now())
    const move = { trigger: 'dispute', actor: asCreator(poster), note: dispute.reason, rating } as const
    return (await moveTask(world, tx, task, move)).task
  })

export const ratingOf = (
  context: Rating['context'],
  { stars, comment }: { readonly stars: number | null; readonly comment: string | null },
  at: number,
): Rating | null => (stars === null ? null : { stars, comment, context, at })

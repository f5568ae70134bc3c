import type { Task } from '../../domain/task/task.ts'
import type { World } from '../../ports/world.ts'
import { settleSoon } from '../money/settle-soon.ts'
import { asCreator, type Poster, posterChange } from '../poster.ts'
import { lockTaskAsDue, moveTask } from './move-task.ts'

/** Cancels, and tries at once to refund a held deposit. */
export async function cancelTask(world: World, poster: Poster, taskId: string, note: string | null): Promise<Task> {
  const cancelled = await posterChange(world, poster, async (tx) => {
    const task = await lockTaskAsDue(world, tx, taskId)
    return (await moveTask(world, tx, task, { trigger: 'cancel', actor: asCreator(poster), note })).task
  })
  return settleSoon(world, cancelled, cancelled.escrow?.exitId ?? null)
}

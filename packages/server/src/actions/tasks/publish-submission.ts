import { refuse } from '../../domain/refusal.ts'
import type { Task } from '../../domain/task/task.ts'
import type { World } from '../../ports/world.ts'
import { type Poster, posterChange } from '../poster.ts'
import { lockTaskAsDue } from './move-task.ts'

/** Shows the delivery to everybody, or hides it again. */
export const publishSubmission = (world: World, poster: Poster, taskId: string, publish: boolean): Promise<Task> =>
  posterChange(world, poster, async (tx) => {
    const task = await lockTaskAsDue(world, tx, taskId)
    if (task.creator.id !== poster.id) refuse('forbidden', {}, 'Only the poster of this task may publish its delivery.')
    if (task.category === 'testing') refuse('forbidden', {}, 'What was delivered for a test is never published.')
    if (task.receiptsCount === 0) refuse('not_found', { resource: 'submission' }, 'Nothing has been delivered yet.')
    const published: Task = { ...task, publishedAt: publish ? (task.publishedAt ?? world.clock.now()) : null }
    await tx.saveTask(published)
    return published
  })

import { refuse } from '../../domain/refusal.ts'
import type { Task } from '../../domain/task/task.ts'
import type { World } from '../../ports/world.ts'

/** A task that this person posted; anybody else's counts as not found. */
export async function ownerTask({ store }: World, ownerId: string, taskId: string): Promise<Task> {
  const task = await store.task(taskId)
  return task !== null && isOf(task, ownerId)
    ? task
    : refuse('not_found', { resource: 'task' }, `You have no task ${taskId}.`)
}

const isOf = ({ creator }: Task, ownerId: string): boolean => creator.kind === 'owner' && creator.id === ownerId

import { isToBeAnnounced } from '../../domain/task/claimable.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'

/**
 * Tells matching agents in the transaction that makes the task claimable. The task must be locked, and this comes last: the
 * inboxes stay locked until the commit. If there are many, the jobs do it.
 */
export async function announceAtOnce(world: World, tx: Transaction, task: Task): Promise<Task> {
  if (!isToBeAnnounced(task)) return task
  if (!(await tx.announceAtOnce(task, world.clock.now(), () => newId(world, 'evt')))) return task
  const announced = { ...task, announced: true }
  await tx.saveTask(announced)
  return announced
}

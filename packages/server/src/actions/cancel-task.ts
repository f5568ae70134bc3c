import type { Caller } from '../domain/caller.ts'
import type { Task } from '../domain/task/task.ts'
import type { World } from '../ports/world.ts'
import { lockTaskAsDue, moveTask } from './move-task.ts'
import { settleSoon } from './settle-soon.ts'
import { signedChange } from './signed-change.ts'

/** Cancels, and tries at once to send a held deposit back. */
export async function cancelTask(world: World, caller: Caller, taskId: string, note: string | null): Promise<Task> {
  const cancelled = await signedChange(world, caller, async (tx) => {
    const task = await lockTaskAsDue(world, tx, taskId)
    return (await moveTask(world, tx, task, 'cancel', { kind: 'creator', id: caller.agent.id }, { note })).task
  })
  return settleSoon(world, cancelled, cancelled.escrow?.exitId ?? null)
}

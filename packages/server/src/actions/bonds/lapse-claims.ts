import type { World } from '../../ports/world.ts'
import { changeOf } from '../signed-change.ts'
import { lockTaskAsDue } from '../tasks/move-task.ts'

/** Expires the agent's overdue claims now, and charges for them, without waiting for the timers. One transaction per task. */
export async function lapseClaims(world: World, agentId: string): Promise<void> {
  for (const taskId of await world.store.lapsedClaims(agentId, world.clock.now()))
    await changeOf(world, (tx) => lockTaskAsDue(world, tx, taskId))
}

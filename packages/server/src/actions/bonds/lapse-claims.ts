import type { World } from '../../ports/world.ts'
import { lockTaskAsDue } from '../tasks/move-task.ts'

/** What an agent let expire costs it now, even before the timers have come to it. Each task is a transaction of its own. */
export async function lapseClaims(world: World, agentId: string): Promise<void> {
  for (const taskId of await world.store.lapsedClaims(agentId, world.clock.now()))
    await world.store.transaction((tx) => lockTaskAsDue(world, tx, taskId))
}

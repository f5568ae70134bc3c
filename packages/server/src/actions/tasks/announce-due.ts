import { isToBeAnnounced } from '../../domain/task/claimable.ts'
import type { World } from '../../ports/world.ts'
import { eachAtOnce } from '../each-at-once.ts'
import { guarded } from '../guarded.ts'
import { newId } from '../new-id.ts'

const BATCH = 100

/** Announces tasks with more matching agents than could be told in the change that made them claimable. */
export async function announceDue(world: World): Promise<number> {
  const ids = await world.store.unannouncedTasks(BATCH)
  return eachAtOnce(ids, 1, (id) => guarded(world, 'announcement', id, () => announce(world, id)))
}

/**
 * Tells every matching agent of a claimable task, batch by batch. After a crash the next run continues where it stopped. It
 * continues if the task is claimed meanwhile, and stops if it is cancelled or expires.
 */
async function announce(world: World, taskId: string): Promise<void> {
  for (let done = false; !done; ) {
    done = await world.store.transaction(async (tx) => {
      const task = await tx.lockTask(taskId)
      if (!task || !isToBeAnnounced(task)) return true
      const batch = await tx.announceTask(task, world.clock.now(), () => newId(world, 'evt'))
      if (batch.done) await tx.saveTask({ ...task, announced: true })
      return batch.done
    })
    await world.failpoints.reach('announcement: batch committed')
  }
}

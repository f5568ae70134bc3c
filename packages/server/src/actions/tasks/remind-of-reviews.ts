import { DAY } from '@guildhall/protocol'
import type { World } from '../../ports/world.ts'
import { eachAtOnce } from '../each-at-once.ts'
import { guarded } from '../guarded.ts'
import { mailPoster } from '../mail/mail-poster.ts'

const AHEAD_MS = 2 * DAY
const BATCH = 50

/**
 * Mails people whose time to review is nearly over, once per delivery; returns the number of reviews handled without an error.
 */
export async function remindOfReviews(world: World): Promise<number> {
  if (world.mailer === null) return 0
  const now = world.clock.now()
  const ids = await world.store.endingReviews({ after: now, until: now + AHEAD_MS, limit: BATCH })
  return eachAtOnce(ids, 1, (id) => guarded(world, 'reminder of a review', id, () => remind(world, id)))
}

const remind = (world: World, taskId: string): Promise<void> =>
  world.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    if (task?.status !== 'submitted' || task.autoReleaseAt === null) return
    if (await tx.noteReminder(task.id, task.autoReleaseAt)) await mailPoster(world, tx, task, 'review ends soon')
  })

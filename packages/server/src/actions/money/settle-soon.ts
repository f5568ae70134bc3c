import type { Task } from '../../domain/task/task.ts'
import { pause } from '../../ports/timer.ts'
import type { World } from '../../ports/world.ts'
import { afterChange } from '../after-change.ts'
import { settleTransfer } from './settle-transfer.ts'

/** Tries to settle a task's money within the request, and returns the task as it is then. */
export async function settleSoon(world: World, task: Task, transferId: string | null): Promise<Task> {
  if (transferId === null) return task
  await attemptWithin(world, transferId)
  return (await afterChange(world.store.task(task.id))) ?? task
}

/**
 * Waits for a settlement for at most `settleInRequestMs`. The attempt continues in the background; if this process dies, the jobs
 * take over.
 */
export const attemptWithin = (world: World, transferId: string): Promise<void> =>
  new Promise((resolve) => {
    const stop = world.timer.after(world.rules.settleInRequestMs, resolve)
    attempt(world, transferId).finally(() => {
      stop()
      resolve()
    })
  })

async function attempt(world: World, transferId: string): Promise<void> {
  try {
    await settleTransfer(world, transferId)
    await attemptOfAnother(world, transferId)
  } catch (error) {
    const details = { transfer: transferId, error: String(error) }
    world.log.warn('a settlement attempt was cut short; the jobs go on with it', details)
  }
}

const LOOK_EVERY_MS = 50

/** If the jobs, here or on another node, hold the lease, or have taken it over meanwhile, waits for their attempt. */
async function attemptOfAnother(world: World, transferId: string): Promise<void> {
  const until = world.timer.elapsed() + world.rules.settleInRequestMs
  while (world.timer.elapsed() < until) {
    const transfer = await world.store.transfer(transferId)
    const isHeld = transfer?.state === 'intended' && (transfer.leaseUntil ?? 0) > world.clock.now()
    if (!isHeld) return
    await pause(world.timer, LOOK_EVERY_MS)
  }
}

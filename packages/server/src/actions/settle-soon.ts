import type { Task } from '../domain/task/task.ts'
import type { World } from '../ports/world.ts'
import { settleTransfer } from './settle-transfer.ts'

/** Tries to settle the money of a task within the request, and gives the task as it is then. */
export async function settleSoon(world: World, task: Task, transferId: string | null): Promise<Task> {
  if (transferId === null) return task
  await attemptWithin(world, transferId)
  return (await world.store.task(task.id)) ?? task
}

/**
 * Waits for a settlement no longer than a request may take. The attempt goes on in the background; the jobs take over when
 * this process does not live to see its end.
 */
export const attemptWithin = (world: World, transferId: string): Promise<void> =>
  Promise.race([attempt(world, transferId), deadline(world.rules.settleInRequestMs)])

const attempt = (world: World, transferId: string): Promise<void> =>
  settleTransfer(world, transferId).catch((error: unknown) => {
    const details = { transfer: transferId, error: String(error) }
    world.log.warn('a settlement attempt was cut short; the jobs go on with it', details)
  })

const deadline = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

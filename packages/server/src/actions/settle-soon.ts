import type { Task } from '../domain/task/task.ts'
import type { World } from '../ports/world.ts'
import { settleTransfer } from './settle-transfer.ts'

/**
 * Tries to settle within the request, and answers with the truth so far when that takes too long.
 * The attempt goes on in the background; the jobs take over when this process does not live to see its end.
 */
export async function settleSoon(world: World, task: Task, transferId: string | null): Promise<Task> {
  if (transferId === null) return task
  await Promise.race([attempt(world, transferId), deadline(world.rules.settleInRequestMs)])
  return (await world.store.task(task.id)) ?? task
}

const attempt = (world: World, transferId: string): Promise<void> =>
  settleTransfer(world, transferId).catch((error: unknown) => {
    world.log.warn('a settlement attempt was cut short; the jobs go on with it', {
      transfer: transferId,
      error: String(error),
    })
  })

const deadline = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

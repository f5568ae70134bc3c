import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import { noteFailedAttempt } from './note-failed-attempt.ts'
import { postponed } from './postpone.ts'

/** A payout that may not be sent now stays queued, and its task says why; it has not failed. */
export async function queuePayout(
  world: World,
  leased: Transfer,
  why: string,
  changed: (transfer: Transfer) => Transfer = (transfer) => transfer,
): Promise<null> {
  await world.store.transaction(async (tx) => {
    const task = leased.taskId === null ? null : await tx.lockTask(leased.taskId)
    const current = await tx.lockTransfer(leased.id)
    if (current?.fence !== leased.fence || current.state !== 'intended') return
    await tx.saveTransfer(postponed(world, changed(current), why))
    if (task) await noteFailedAttempt(world, tx, task, current, why)
  })
  return null
}

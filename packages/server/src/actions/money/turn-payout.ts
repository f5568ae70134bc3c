import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import { notePaymentEvent } from './note-payment-event.ts'
import { postpone } from './postpone.ts'

/**
 * Turns a release to where an operator has redirected it. Not before its last signature can no longer be used: if money could
 * still go to the old payee, the books would show it as gone to the new one.
 */
export async function turnPayout(world: World, leased: Transfer): Promise<Transfer | null> {
  if (!(await isOver(world, leased)))
    return postpone(world, leased, 'waiting until the chain has passed the end of the authorization')
  return world.store.transaction(async (tx) => {
    const task = leased.taskId === null ? null : await tx.lockTask(leased.taskId)
    const current = await tx.lockTransfer(leased.id)
    if (current?.fence !== leased.fence || current.state !== 'intended' || task === null) return null
    const { authorization, redirectTo: to } = current
    if (to === null) return current
    const turned: Transfer = {
      ...current,
      authorization: { ...authorization, to, validBefore: 0n },
      signature: null,
      redirectTo: null,
    }
    await tx.saveTransfer(turned)
    await tx.saveTask({ ...task, payTo: to })
    const details = { from: authorization.to, to }
    await notePaymentEvent(world, tx, { taskId: task.id, type: 'payout_redirected', details })
    return turned
  })
}

/** Every later signature of a payout is valid for longer than those before it. */
async function isOver(world: World, { authorization, fromBlock }: Transfer): Promise<boolean> {
  if (authorization.validBefore === 0n) return true
  const evidence = await world.chain.evidence(authorization, fromBlock)
  return evidence.kind === 'unused' && evidence.finalTime >= authorization.validBefore
}

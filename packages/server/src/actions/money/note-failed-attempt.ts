import { paymentAfter } from '../../domain/payment/lifecycle.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { notePaymentEvent } from './note-payment-event.ts'

/** The task shows why its money has not moved yet; the payment history records each reason once. */
export async function noteFailedAttempt(
  world: World,
  tx: Transaction,
  task: Task,
  transfer: Transfer,
  why: string,
): Promise<void> {
  const paymentStatus =
    transfer.purpose === 'bounty' ? paymentAfter(task.paymentStatus, 'attempt failed') : task.paymentStatus
  if (task.settleError === why && paymentStatus === task.paymentStatus) return
  await tx.saveTask({ ...task, settleError: why, paymentStatus })
  await notePaymentEvent(world, tx, {
    taskId: task.id,
    type: transfer.purpose === 'bounty' ? 'settle_failed' : 'settle_pending',
    details: { purpose: transfer.purpose, error: why },
  })
}

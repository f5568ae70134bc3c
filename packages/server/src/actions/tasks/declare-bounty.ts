import type { Bounty, Task } from '../../domain/task/task.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { notePaymentEvent } from '../money/note-payment-event.ts'

/** The payment history of a task begins with its bounty. */
export const declareBounty = (world: World, tx: Transaction, task: Task, bounty: Bounty): Promise<void> =>
  notePaymentEvent(world, tx, {
    taskId: task.id,
    type: 'bounty_declared',
    details: { amount_atomic: bounty.amount.toString(), network: bounty.network, escrow: task.escrow !== null },
  })

import { paymentAfter } from '../../domain/payment/lifecycle.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { noteAuthorization } from '../money/note-authorization.ts'
import { recordPayment } from '../money/record-payment.ts'
import type { TakenPayment } from '../money/take-payment.ts'
import type { Poster } from '../poster.ts'
import { delivererWallet } from './move-task.ts'

/** The deliverer may have changed wallets since the price was asked for. */
export async function checkPayee(tx: Transaction, task: Task, { authorization }: TakenPayment): Promise<void> {
  const payee = task.payTo ?? (await delivererWallet(tx, task))?.address
  if (payee !== authorization.to)
    refuse(
      'conflict',
      { status: task.status },
      'The deliverer has another wallet by now: ask again. Nothing was charged.',
    )
}

/** Records the payment of a declared bounty, in the transaction of the acceptance. */
export async function authorizeBounty(
  world: World,
  tx: Transaction,
  { signature }: Poster,
  task: Task,
  taken: TakenPayment,
): Promise<Task> {
  const payment = await recordPayment(world, tx, taken, { purpose: 'bounty', taskId: task.id, agentId: task.claimedBy })
  const paid: Task = {
    ...task,
    payTo: taken.authorization.to,
    paymentId: payment.id,
    paymentStatus: paymentAfter(task.paymentStatus, 'authorize'),
    acceptorSignature: signature,
    settleError: null,
  }
  await tx.saveTask(paid)
  await noteAuthorization(world, tx, task.id, 'bounty', taken)
  return paid
}

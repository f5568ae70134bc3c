import { newEscrow } from '../../domain/escrow/new-escrow.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { noteAuthorization } from '../money/note-authorization.ts'
import { recordPayment } from '../money/record-payment.ts'
import type { TakenPayment } from '../money/take-payment.ts'
import type { Poster } from '../poster.ts'
import { declareBounty } from './declare-bounty.ts'

/** Creates the task, with its deposit in flight. */
export async function openFunding(
  world: World,
  tx: Transaction,
  draft: Task,
  taken: TakenPayment,
  poster: Pick<Poster, 'agent' | 'signature'>,
): Promise<{ readonly task: Task; readonly deposit: Transfer }> {
  const { authorization } = taken
  const deposit = await recordPayment(world, tx, taken, {
    purpose: 'deposit',
    taskId: draft.id,
    agentId: poster.agent?.id ?? null,
  })
  const task: Task = {
    ...draft,
    proposerSignature: poster.signature,
    paymentStatus: 'settling',
    escrow: newEscrow({ wallet: authorization.to, payer: authorization.from, depositId: deposit.id }),
  }
  await tx.insertTask(task)
  if (task.bounty) await declareBounty(world, tx, task, task.bounty)
  await noteAuthorization(world, tx, task.id, 'deposit', taken)
  return { task, deposit }
}

import { refuse } from '../domain/refusal.ts'
import type { Transfer, TransferPurpose } from '../domain/transfer/transfer.ts'
import type { Transaction } from '../ports/store.ts'
import type { World } from '../ports/world.ts'
import { newId } from './new-id.ts'
import type { TakenPayment } from './take-payment.ts'

type For = { readonly purpose: TransferPurpose; readonly taskId: string | null; readonly agentId: string | null }

/** Commits the intent to settle a payment, with its signed bytes: from here no crash can lose it. */
export async function recordPayment(
  world: World,
  tx: Transaction,
  payment: TakenPayment,
  what: For,
): Promise<Transfer> {
  const now = world.clock.now()
  const transfer: Transfer = {
    id: newId(world, 'tr'),
    ...what,
    authorization: payment.authorization,
    signature: payment.signature,
    depositId: null,
    state: 'intended',
    fromBlock: payment.fromBlock,
    txHash: null,
    blockNumber: null,
    final: false,
    attempts: 0,
    lastError: null,
    nextAttemptAt: now,
    leaseUntil: null,
    fence: 0,
    createdAt: now,
    settledAt: null,
  }
  if (await tx.insertTransfer(transfer)) return transfer
  const recorded = await tx.transferByAuthorization(payment.authorization)
  return refuse('authorization_reused', { task_id: recorded?.taskId ?? null })
}

import { intendedTransfer } from '../../domain/transfer/intended-transfer.ts'
import type { Transfer, TransferPurpose } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'
import { authorizationReused } from './authorization-reused.ts'
import type { TakenPayment } from './take-payment.ts'

type For = { readonly purpose: TransferPurpose; readonly taskId: string | null; readonly agentId: string | null }

/** Commits the intent to settle a payment, with its signature: from here no crash can lose it. */
export async function recordPayment(
  world: World,
  tx: Transaction,
  payment: TakenPayment,
  what: For,
): Promise<Transfer> {
  const { authorization, signature, fromBlock } = payment
  const intent = { id: newId(world, 'tr'), ...what, authorization, signature, fromBlock }
  const transfer = intendedTransfer(intent, world.clock.now())
  if (await tx.insertTransfer(transfer)) return transfer
  throw authorizationReused(await tx.transferByAuthorization(authorization))
}

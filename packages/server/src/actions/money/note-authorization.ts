import type { TransferPurpose } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { notePaymentEvent } from './note-payment-event.ts'
import type { TakenPayment } from './take-payment.ts'

/** The payment history records who signed for what; its settlement is added later. */
export const noteAuthorization = (
  world: World,
  tx: Transaction,
  taskId: string,
  purpose: TransferPurpose,
  { authorization }: TakenPayment,
): Promise<void> =>
  notePaymentEvent(world, tx, {
    taskId,
    type: 'authorized',
    details: { purpose, payer: authorization.from, pay_to: authorization.to },
  })

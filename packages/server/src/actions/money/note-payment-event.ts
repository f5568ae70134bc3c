import type { PaymentEvent } from '../../domain/payment/payment-event.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'

/** Adds a line to the payment history of a task. */
export const notePaymentEvent = (
  world: World,
  tx: Transaction,
  { taskId, type, details }: Omit<PaymentEvent, 'id' | 'createdAt'>,
): Promise<void> => tx.addPaymentEvent({ id: newId(world, 'pev'), taskId, type, details, createdAt: world.clock.now() })

import type { ErrorCode } from '@guildhall/protocol'
import { Refusal } from '../../domain/refusal.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { type Poster, posterChange } from '../poster.ts'
import { refuseIfRecorded, type TakenPayment } from './take-payment.ts'

/** Refusals that a call may get because a duplicate of it came first. */
const OF_A_DUPLICATE: ReadonlySet<ErrorCode> = new Set([
  'signature_replayed',
  'settlement_in_progress',
  'invalid_state',
  'conflict',
])

/** A signed change that takes a payment. If a duplicate of this call committed first, answer with what the payment bought. */
export async function paidChange<T>(
  world: World,
  poster: Poster,
  taken: TakenPayment,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await posterChange(world, poster, work)
  } catch (error) {
    if (error instanceof Refusal && OF_A_DUPLICATE.has(error.code)) await refuseIfRecorded(world, taken.authorization)
    throw error
  }
}

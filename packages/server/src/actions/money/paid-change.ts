import type { ErrorCode } from '@guildhall/protocol'
import { Refusal } from '../../domain/refusal.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { type Poster, posterChange } from '../tasks/poster.ts'
import { refuseIfRecorded, type TakenPayment } from './take-payment.ts'

/** What a call is told that came second, be it after itself. */
const SECOND: ReadonlySet<ErrorCode> = new Set([
  'signature_replayed',
  'settlement_in_progress',
  'invalid_state',
  'conflict',
])

/** A signed change that takes a payment. When the same call won a race against itself, the answer is what the payment paid for. */
export async function paidChange<T>(
  world: World,
  poster: Poster,
  taken: TakenPayment,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await posterChange(world, poster, work)
  } catch (error) {
    if (error instanceof Refusal && SECOND.has(error.code)) await refuseIfRecorded(world, taken.authorization)
    throw error
  }
}

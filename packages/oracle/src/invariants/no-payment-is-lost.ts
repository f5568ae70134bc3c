import type { MovementRow, TaskRow, TransferRow } from '../books/rows.ts'
import { type Place, placeOf } from '../chain/place-of.ts'
import { settledOnChain } from '../chain/settled-on-chain.ts'
import type { Invariant } from '../invariant.ts'

const PAID_BY_OTHERS = new Set(['deposit', 'bond', 'bounty'])
const HELD_OR_LEFT = new Set(['funded', 'releasing', 'released', 'refunding', 'refunded'])

/**
 * I2: what was paid does not count as unpaid, unless it came before it was recorded and was sent back as a stray; and every settled
 * deposit is held, released, refunded, or in flight.
 */
export const noPaymentIsLost: Invariant = {
  name: 'I2 no payment is lost',
  *broken({ books, chains }) {
    const tasks = new Map(books.tasks.map((task) => [task.id, task]))
    const exits = new Map(books.transfers.map((exit) => [exit.deposit_id, exit]))
    const sentBack = new Set(books.movements.filter(({ return_id }) => return_id !== null).map(keyOfRow))
    for (const payment of books.transfers.filter(({ purpose }) => PAID_BY_OTHERS.has(purpose))) {
      const { id, purpose, state, task_id } = payment
      const moved = state === 'dead' ? settledOnChain(chains, payment)?.movement : null
      if (moved && !sentBack.has(keyOf(payment.network, moved)))
        yield `the ${purpose} ${id} is written off as dead, but the chain shows it`
      if (purpose === 'deposit' && state === 'settled') yield* nowhere(payment, tasks.get(task_id ?? ''), exits.get(id))
    }
  },
}

const keyOf = (network: string, place: Place): string => `${network} ${placeOf(place)}`
const keyOfRow = ({ network, tx_hash, log_index }: MovementRow): string =>
  keyOf(network, { txHash: tx_hash, logIndex: log_index })

function* nowhere(deposit: TransferRow, task: TaskRow | undefined, exit: TransferRow | undefined): Iterable<string> {
  if (!task) return yield `deposit ${deposit.id} is settled, but its task ${deposit.task_id} does not exist`
  const { id, escrow_status: status } = task
  if (task.escrow_deposit_id !== deposit.id) {
    return yield `deposit ${deposit.id} is settled, but task ${id} rests on ${task.escrow_deposit_id}`
  }
  if (status === null || !HELD_OR_LEFT.has(status)) {
    return yield `deposit ${deposit.id} is settled, but the escrow of task ${id} is ${status}`
  }
  const purpose = status.startsWith('releas') ? 'release' : status.startsWith('refund') ? 'refund' : null
  if (purpose !== (exit?.purpose ?? null)) {
    yield `the escrow of task ${id} is ${status}, but its exit is ${exit ? `the ${exit.purpose} ${exit.id}` : 'missing'}`
  }
  if (exit && task.escrow_exit_id !== exit.id)
    yield `task ${id} names ${task.escrow_exit_id} as its exit, which is ${exit.id}`
}

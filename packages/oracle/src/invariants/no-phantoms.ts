import type { TaskRow, TransferRow } from '../books/rows.ts'
import { settledOnChain } from '../chain/settled-on-chain.ts'
import type { Evidence, Invariant } from '../invariant.ts'

/** I7: nothing is funded, released, refunded or settled without the exact logs on chain, under the right hash. */
export const noPhantoms: Invariant = {
  name: 'I7 no phantoms',
  *broken(evidence) {
    const transfers = new Map(evidence.books.transfers.map((transfer) => [transfer.id, transfer]))
    for (const transfer of transfers.values()) {
      if (transfer.state === 'settled') yield* unproven(evidence, transfer)
    }
    for (const task of evidence.books.tasks) yield* unbacked(task, transfers)
  },
}

function* unproven({ chains }: Evidence, transfer: TransferRow): Iterable<string> {
  const name = `the ${transfer.purpose} ${transfer.id}`
  if (!chains.some(({ network }) => network === transfer.network)) return
  const spending = settledOnChain(chains, transfer)
  if (!spending) return yield `${name} is settled on record, but not on ${transfer.network}`
  if (spending.txHash !== transfer.tx_hash) yield `${name} settled in ${spending.txHash}, not in ${transfer.tx_hash}`
  if (spending.blockNumber !== transfer.block_number) {
    yield `${name} is in block ${spending.blockNumber}, not in ${transfer.block_number}`
  }
}

/** The transfer behind each status, and the column in which the task shows its hash. */
function* unbacked(task: TaskRow, transfers: ReadonlyMap<string, TransferRow>): Iterable<string> {
  const deposit = transfers.get(task.escrow_deposit_id ?? '')
  const exit = transfers.get(task.escrow_exit_id ?? '')
  const bounty = transfers.get(task.payment_id ?? '')
  const { id, escrow_status: escrow } = task
  if (escrow !== null && !deposit) yield `task ${id} is ${escrow} without a deposit on record`
  if (escrow === 'funded' || escrow === 'released' || escrow === 'refunded') {
    yield* shows(task, escrow, deposit, 'deposit', task.escrow_deposit_tx)
  } else if (deposit && deposit.state !== 'settled' && task.escrow_deposit_tx !== null) {
    yield `task ${id} is ${escrow}, but shows a deposit in ${task.escrow_deposit_tx}`
  }
  if (escrow === 'released') yield* shows(task, escrow, exit, 'release', task.escrow_release_tx)
  else if (task.escrow_release_tx !== null) yield `task ${id} is ${escrow}, but shows a release`
  if (escrow === 'refunded') yield* shows(task, escrow, exit, 'refund', task.escrow_refund_tx)
  else if (task.escrow_refund_tx !== null) yield `task ${id} is ${escrow}, but shows a refund`
  if (task.payment_status !== 'settled') {
    if (task.payment_tx !== null)
      yield `the payment of task ${id} is ${task.payment_status}, but shows ${task.payment_tx}`
    return
  }
  if (escrow === null) yield* shows(task, 'settled', bounty, 'bounty', task.payment_tx)
  else yield* shows(task, 'settled', exit, 'release', task.payment_tx)
}

function* shows(
  { id, pay_to, escrow_payer }: TaskRow,
  status: string,
  transfer: TransferRow | undefined,
  purpose: string,
  txHash: string | null,
): Iterable<string> {
  if (transfer?.purpose !== purpose || transfer.task_id !== id) {
    return yield `task ${id} is ${status}, but no ${purpose} of it is on record`
  }
  if (transfer.state !== 'settled') yield `task ${id} is ${status}, but its ${purpose} is ${transfer.state}`
  if (transfer.tx_hash !== txHash)
    yield `task ${id} shows ${txHash} for its ${purpose}, which is in ${transfer.tx_hash}`
  if ((purpose === 'release' || purpose === 'bounty') && transfer.payee !== pay_to) {
    yield `task ${id} was to be paid to ${pay_to}, but ${transfer.payee} was`
  }
  if (purpose === 'refund' && transfer.payee !== escrow_payer) {
    yield `task ${id} was paid by ${escrow_payer}, but ${transfer.payee} got the refund`
  }
}

import { exitNonce } from '@guildhall/protocol'
import type { TransferRow } from '../books/rows.ts'
import type { Movement } from '../chain/read-chain.ts'
import type { Evidence, Invariant } from '../invariant.ts'

const PAYOUTS = new Set(['release', 'refund', 'withdrawal', 'return'])

/** I1: a deposit leaves escrow at most once, and nothing leaves that no intent asked for. */
export const oneExitPerDeposit: Invariant = {
  name: 'I1 one exit per deposit',
  *broken(evidence) {
    const { transfers } = evidence.books
    const deposits = new Map(transfers.filter(({ purpose }) => purpose === 'deposit').map((one) => [one.id, one]))
    for (const exit of transfers.filter(({ purpose }) => purpose === 'release' || purpose === 'refund')) {
      yield* wrongExit(exit, deposits.get(exit.deposit_id ?? ''))
    }
    yield* sharedDeposits(transfers)
    for (const { network, movements } of evidence.chains) {
      for (const movement of movements) {
        if (movement.from === evidence.escrowWallet && !isExplained(evidence, network, movement)) {
          yield `${network}: ${movement.value} left escrow for ${movement.to} in ${movement.txHash}, which no payout asked for`
        }
      }
    }
  },
}

function* wrongExit(exit: TransferRow, deposit: TransferRow | undefined): Iterable<string> {
  if (!deposit) return yield `${exit.purpose} ${exit.id} empties no deposit on record`
  const { network, asset, payer, nonce } = deposit
  if (exit.nonce !== exitNonce({ network, asset, from: payer, nonce })) {
    yield `${exit.purpose} ${exit.id} does not have the one nonce of deposit ${deposit.id}`
  }
  if (exit.network !== network || exit.amount !== deposit.amount) {
    yield `${exit.purpose} ${exit.id} moves ${exit.amount} on ${exit.network}, deposit ${deposit.id} was ${deposit.amount} on ${network}`
  }
}

function* sharedDeposits(transfers: readonly TransferRow[]): Iterable<string> {
  const exits = transfers.filter(({ deposit_id }) => deposit_id !== null)
  for (const [depositId, several] of Map.groupBy(exits, ({ deposit_id }) => deposit_id)) {
    if (several.length > 1) yield `deposit ${depositId} has ${several.length} exits on record`
  }
}

/** Whether a payout on record signed this very movement away. */
function isExplained({ books, chains }: Evidence, network: string, movement: Movement): boolean {
  const spending = chains
    .find((chain) => chain.network === network)
    ?.spendings.find(
      ({ movement: carried }) => carried?.txHash === movement.txHash && carried.logIndex === movement.logIndex,
    )
  if (!spending) return false
  return books.transfers.some(
    (transfer) =>
      PAYOUTS.has(transfer.purpose) &&
      transfer.network === network &&
      transfer.payer === spending.authorizer &&
      transfer.nonce === spending.nonce &&
      transfer.payee === movement.to &&
      transfer.amount === movement.value,
  )
}

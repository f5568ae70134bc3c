import { exitNonce } from '@guildhall/protocol'
import type { TransferRow } from '../books/rows.ts'
import { placeOf } from '../chain/place-of.ts'
import type { ChainView } from '../chain/read-chain.ts'
import type { Invariant } from '../invariant.ts'

const PAYOUTS = new Set(['release', 'refund', 'withdrawal', 'return'])

/** I1: a deposit leaves escrow at most once, and nothing leaves without a recorded intent. */
export const oneExitPerDeposit: Invariant = {
  name: 'I1 one exit per deposit',
  *broken(evidence) {
    const { transfers } = evidence.books
    const deposits = new Map(transfers.filter(({ purpose }) => purpose === 'deposit').map((one) => [one.id, one]))
    for (const exit of transfers.filter(({ purpose }) => purpose === 'release' || purpose === 'refund')) {
      yield* wrongExit(exit, deposits.get(exit.deposit_id ?? ''))
    }
    yield* sharedDeposits(transfers)
    const payouts = new Map(transfers.filter(({ purpose }) => PAYOUTS.has(purpose)).map((one) => [keyOf(one), one]))
    for (const chain of evidence.chains) yield* unasked(chain, evidence.escrowWallet, payouts)
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

type Authorization = { readonly network: string; readonly payer: string; readonly nonce: string }
const keyOf = ({ network, payer, nonce }: Authorization): string => `${network} ${payer} ${nonce}`

/**
 * Money that left the wallet although no payout on record was signed for this movement. A transfer of nothing needs nobody's
 * allowance: strangers make them to get their addresses into a wallet's history.
 */
function* unasked(
  { network, movements, spendings }: ChainView,
  escrowWallet: string,
  payouts: ReadonlyMap<string, TransferRow>,
): Iterable<string> {
  const causes = new Map(spendings.flatMap((one) => (one.movement ? [[placeOf(one.movement), one] as const] : [])))
  for (const movement of movements.filter(({ from, value }) => from === escrowWallet && value > 0n)) {
    const { authorizer: payer = '', nonce = '' } = causes.get(placeOf(movement)) ?? {}
    const payout = payouts.get(keyOf({ network, payer, nonce }))
    if (payout?.payee !== movement.to || payout.amount !== movement.value)
      yield `${network}: ${movement.value} left escrow for ${movement.to} in ${movement.txHash}, which no payout asked for`
  }
}

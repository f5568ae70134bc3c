import type { TransferRow } from '../books/rows.ts'
import type { ChainView, Spending } from './read-chain.ts'

/** Where the chain shows exactly this transfer: its nonce used, and its amount moved to its payee right after. */
export function settledOnChain(chains: readonly ChainView[], transfer: TransferRow): Spending | null {
  const spending = chains
    .find(({ network }) => network === transfer.network)
    ?.spendings.find(({ authorizer, nonce }) => authorizer === transfer.payer && nonce === transfer.nonce)
  const moved = spending?.movement
  const exact = moved?.from === transfer.payer && moved.to === transfer.payee && moved.value === transfer.amount
  return spending && exact ? spending : null
}

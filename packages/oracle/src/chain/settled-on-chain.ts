import type { TransferRow } from '../books/rows.ts'
import type { ChainView, Spending } from './read-chain.ts'

const keyOf = (authorizer: string, nonce: string): string => `${authorizer} ${nonce}`

/** An index per chain of spendings by authorization, so that large books are scanned once. */
const indexes = new WeakMap<ChainView, ReadonlyMap<string, Spending>>()

function spendingsOf(chain: ChainView): ReadonlyMap<string, Spending> {
  const known = indexes.get(chain)
  if (known !== undefined) return known
  const index = new Map(chain.spendings.map((one) => [keyOf(one.authorizer, one.nonce), one]))
  indexes.set(chain, index)
  return index
}

/** The spending of exactly this transfer on chain: its nonce used, and its amount moved to its payee right after. */
export function settledOnChain(chains: readonly ChainView[], transfer: TransferRow): Spending | null {
  const chain = chains.find(({ network }) => network === transfer.network)
  const spending = chain && spendingsOf(chain).get(keyOf(transfer.payer, transfer.nonce))
  const moved = spending?.movement
  const exact = moved?.from === transfer.payer && moved.to === transfer.payee && moved.value === transfer.amount
  return spending && exact ? spending : null
}

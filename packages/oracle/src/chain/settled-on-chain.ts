import type { TransferRow } from '../books/rows.ts'
import type { ChainView, Spending } from './read-chain.ts'

const keyOf = (authorizer: string, nonce: string): string => `${authorizer} ${nonce}`

/** The spendings of each chain that was asked about, by their authorization: books of any size are gone through once. */
const indexes = new WeakMap<ChainView, ReadonlyMap<string, Spending>>()

function spendingsOf(chain: ChainView): ReadonlyMap<string, Spending> {
  const known = indexes.get(chain)
  if (known !== undefined) return known
  const index = new Map(chain.spendings.map((one) => [keyOf(one.authorizer, one.nonce), one]))
  indexes.set(chain, index)
  return index
}

/** Where the chain shows exactly this transfer: its nonce used, and its amount moved to its payee right after. */
export function settledOnChain(chains: readonly ChainView[], transfer: TransferRow): Spending | null {
  const chain = chains.find(({ network }) => network === transfer.network)
  const spending = chain && spendingsOf(chain).get(keyOf(transfer.payer, transfer.nonce))
  const moved = spending?.movement
  const exact = moved?.from === transfer.payer && moved.to === transfer.payee && moved.value === transfer.amount
  return spending && exact ? spending : null
}

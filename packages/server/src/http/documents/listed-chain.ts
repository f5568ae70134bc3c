import { type Endpoints, limits } from '@guildhall/protocol'
import type { Store } from '../../ports/store.ts'
import type { Call } from '../handler.ts'
import { checkpointView, entryView, VERIFICATION } from '../views/chain-view.ts'

type Range = Call<Endpoints['listChain']>['query']
type LedgerReads = Pick<Store, 'ledgerHead' | 'ledgerRange' | 'checkpoints'>

/** A page of the ledger, or the entries from one sequence to another. */
export async function listedChain(store: LedgerReads, query: Range) {
  const total = await ledgerSize(store)
  const { from, to } = rangeOf(query, total)
  const entries = (await store.ledgerRange(from, to)).map(entryView)
  const ordered = query.from === undefined && query.to === undefined ? entries.reverse() : entries
  return { entries: ordered, total, ...(await proofOf(store, { from, to, total })) }
}

export const ledgerSize = async (store: LedgerReads): Promise<number> => (await store.ledgerHead())?.sequence ?? 0

/**
 * The checkpoints and the instructions to verify entries with. More may have been sealed and attested since `total` was read: a
 * checkpoint beyond it would look as if entries had been held back.
 */
export async function proofOf(store: LedgerReads, { from, to, total }: { from: number; to: number; total: number }) {
  const found = await store.checkpoints(from, to, limits.chain.newestCheckpoints)
  const checkpoints = found.filter(({ sequence }) => sequence <= total).map(checkpointView)
  return { checkpoints, verification: VERIFICATION }
}

/** Pages count from the newest entry. A range given by `from` and `to` is returned whole, up to the limit of one answer. */
function rangeOf({ limit: asked, page = 1, from, to }: Range, total: number): { from: number; to: number } {
  if (from === undefined && to === undefined) {
    const limit = asked ?? limits.chain.default
    const newest = total - (page - 1) * limit
    return { from: Math.max(1, newest - limit + 1), to: newest }
  }
  const limit = asked ?? limits.chain.max
  const last = Math.min(to ?? total, total)
  const first = from ?? Math.max(1, last - limit + 1)
  return { from: first, to: Math.min(last, first + limit - 1) }
}

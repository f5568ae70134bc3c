import { finalityOf, hasEnded, type Transfer } from '@guildhall/server/parts'
import { isExactly } from '../chain/is-exactly.ts'
import type { Day } from '../day.ts'
import type { View } from '../store/overlay.ts'

/**
 * Nothing is written off, or turned to another payee, that somebody could still carry out. Most of what is written off too early costs
 * nobody anything: only rarely does the chain take back what had spent the nonce, and then somebody has to send the payment.
 */
export function watchDeaths(day: Day): void {
  const { database, chains, surprises } = day
  const { transfers } = database.tables
  /** Attempts that could prove the end of their transfer before the chain took blocks back. */
  const proven = new Map<string, number>()

  for (const chain of chains.values())
    chain.onReorg.push(() => {
      for (const transfer of transfers.values()) {
        if (transfer.authorization.network !== chain.network || hasEnded(transfer)) continue
        if (mayStillSettle(day, transfer) === null) proven.set(transfer.id, transfer.fence)
      }
    })

  database.onCommit.push((own) => {
    for (const [id, row] of own.written.get(transfers as Map<string, unknown>) ?? []) {
      const transfer = row as Transfer
      const before = transfers.get(id)
      if (proven.get(id) === transfer.fence) continue
      if (before && before.signature !== null && transfer.authorization.to !== before.authorization.to) {
        const why = mayStillSettle(day, before)
        if (why !== null) surprises.push(`the ${transfer.purpose} ${id} was turned to another payee: ${why}`)
      }
      if (!hasEnded(transfer) || (before && hasEnded(before))) continue
      const why = isUnknown(own, day, transfer, before) ? null : mayStillSettle(day, transfer)
      if (why !== null) surprises.push(`the ${transfer.purpose} ${id} was written off as ${transfer.state}: ${why}`)
    }
  })
}

/** Nobody else has seen its signature, or it ends with the deposit that it was to pay out. */
const isUnknown = (view: View, { database }: Day, { state, depositId }: Transfer, before?: Transfer): boolean =>
  (state === 'dead' && before?.signature === null) ||
  (depositId !== null && view.get(database.tables.transfers, depositId)?.state === 'dead')

/** Null when the chain proves the end of an authorization. */
function mayStillSettle({ chains, rules }: Day, { authorization }: Transfer): string | null {
  const { network, from, nonce, value, validBefore } = authorization
  const served = rules.networks.find((one) => one.network === network)
  const chain = chains.get(network)
  if (!served || !chain) return 'its network is not served'
  const head = chain.head().number
  const final = chain.blocks[head - finalityOf(served, value) + 1]
  const spending = chain.spendingAt(from, nonce, head)
  // It has settled, and was sent back as a stray before it was recorded.
  if (spending !== null && isExactly(spending, authorization)) return null
  if (spending !== null)
    return spending.blockNumber <= (final?.number ?? 0) ? null : 'its nonce was spent only just now'
  return BigInt(final?.time ?? 0) >= validBefore ? null : 'its time is not over'
}

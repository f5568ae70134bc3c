import { type Hex, isPayout, type Transfer } from '@guildhall/server/parts'
import type { Day } from '../day.ts'
import type { Overlay } from '../store/overlay.ts'
import type { Tables } from '../store/tables.ts'

/**
 * Writes down every transfer that is ever recorded, with what it pays out. That has one nonce on every copy of the database, or the
 * token would pay it once more.
 */
export function watchNonces({ database: { tables, onCommit }, ever, surprises }: Day): void {
  const { transfers } = tables
  const nonces = new Map<string, Hex>()
  onCommit.push((own) => {
    for (const [id, row] of own.written.get(transfers as Map<string, unknown>) ?? []) {
      if (transfers.has(id)) continue
      const transfer = row as Transfer
      const { network, from, nonce } = transfer.authorization
      const paysOut = paidOutBy(tables, own, transfer)
      ever.set(`${network} ${from} ${nonce}`, { transfer, paysOut })
      if (paysOut === null) continue
      if ((nonces.get(paysOut) ?? nonce) !== nonce) surprises.push(`a second nonce would pay out ${paysOut} again`)
      nonces.set(paysOut, nonce)
    }
  })
}

/** A deposit, the place of a stray on the chain, or the n-th part of an agent's bond. */
function paidOutBy({ transfers, movements }: Tables, own: Overlay, payout: Transfer): string | null {
  const { id, purpose, depositId, agentId } = payout
  if (!isPayout(purpose)) return null
  if (depositId !== null) return depositId
  if (purpose === 'return') {
    const { txHash, logIndex } = [...own.all(movements)].find(({ returnId }) => returnId === id) ?? {}
    return `${txHash} ${logIndex}`
  }
  const isOwn = (one: Transfer) => one.agentId === agentId && one.purpose === 'withdrawal'
  return `part ${[...own.all(transfers)].filter(isOwn).length} of the bond of ${agentId}`
}

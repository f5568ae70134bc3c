import type { Transfer } from '@guildhall/server/parts'
import { isExactly } from '../chain/is-exactly.ts'
import type { Day } from '../day.ts'
import type { MovementRow } from '../store/tables.ts'

/**
 * Nothing is booked that the chain shows to be something else. A payout is in the books only while its deposit is, even when the chain
 * has taken back the deposit alone; and what goes back to its sender pays for nothing.
 */
export function watchBookings({ database: { tables, onCommit }, chains, surprises }: Day): void {
  const { transfers, movements } = tables
  /** The reorgs before the newest attempt of each transfer. */
  const reorgsBefore = new Map<string, number>()

  onCommit.push((own) => {
    for (const [id, row] of own.written.get(transfers as Map<string, unknown>) ?? []) {
      const { purpose, state, fence, depositId, authorization } = row as Transfer
      const chain = chains.get(authorization.network)
      if (!chain) continue
      const before = transfers.get(id)
      if (fence !== before?.fence) reorgsBefore.set(id, chain.reorgs)
      if (state !== 'settled') continue
      const deposit = depositId === null ? 'settled' : own.get(transfers, depositId)?.state
      if (deposit !== 'settled') surprises.push(`the ${purpose} ${id} is booked, and its deposit is ${deposit}`)
      if (before?.state === 'settled' || reorgsBefore.get(id) !== chain.reorgs) continue
      const spending = chain.spendingAt(authorization.from, authorization.nonce, chain.head().number)
      if (spending && !isExactly(spending, authorization))
        surprises.push(`the ${purpose} ${id} is booked, and its nonce was spent on something else`)
    }
    for (const row of own.written.get(movements as Map<string, unknown>)?.values() ?? []) {
      const { strayId, returnId = null, transferId = null } = (row ?? {}) as Partial<MovementRow>
      if (returnId !== null && transferId !== null)
        surprises.push(`the stray ${strayId} goes back, and pays for ${transferId}`)
    }
  })
}

import type { Transfer } from '@guildhall/server/parts'
import type { Day } from '../day.ts'

/** A payout is in the books only while its deposit is, even when the chain has taken back the deposit alone. */
export function watchExits({ database: { tables, onCommit }, surprises }: Day): void {
  const { transfers } = tables
  onCommit.push((own) => {
    for (const row of own.written.get(transfers as Map<string, unknown>)?.values() ?? []) {
      const { id, purpose, state, depositId } = row as Transfer
      if (state !== 'settled' || depositId === null) continue
      const deposit = own.get(transfers, depositId)?.state
      if (deposit !== 'settled') surprises.push(`the ${purpose} ${id} is booked, and its deposit is ${deposit}`)
    }
  })
}

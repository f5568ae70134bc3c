import type { Agent, Posting, Transfer } from '@guildhall/server/parts'
import type { Day } from '../day.ts'
import { bondDebtOf } from '../store/bonds.ts'

/**
 * The house stands in for a bond only when nothing is left of it, neither a balance nor a withdrawal that could be called off: one
 * that was never signed would wait for money that may never come.
 */
export function watchHouse({ database: { tables, onCommit }, surprises }: Day): void {
  onCommit.push((own) => {
    for (const row of own.written.get(tables.postings as Map<string, unknown>)?.values() ?? []) {
      const { debit, reason, agentId, network } = row as Posting
      if (debit !== 'house' || reason !== 'undone') continue
      const isLeft = (one: Transfer) =>
        one.agentId === agentId && one.authorization.network === network && isUnsigned(one)
      if ([...own.all(tables.transfers)].some(isLeft))
        surprises.push(`the house stands in for the bond of ${agentId}, and not all of its withdrawals were called off`)
    }
    for (const row of own.written.get(tables.agents as Map<string, unknown>)?.values() ?? []) {
      const { id, bondBalance, bondNetwork } = row as Agent
      if (bondBalance > 0n && bondDebtOf(tables, own, id, bondNetwork ?? '') > 0n)
        surprises.push(`${id} has a bond of ${bondBalance}, and the house stands in for one that is gone`)
    }
  })
}

const isUnsigned = ({ purpose, state, signature }: Transfer): boolean =>
  purpose === 'withdrawal' && state === 'intended' && signature === null

import type { Reader, Transaction } from '@guildhall/server/parts'
import type { View } from './overlay.ts'
import type { Ask, Statements } from './statements.ts'
import type { Tables } from './tables.ts'

export const bondReads = (tables: Tables, ask: Ask) =>
  ({
    youngBonds: (agentId) =>
      ask('youngBonds', (view) =>
        [...view.all(tables.transfers)].filter(
          ({ agentId: id, purpose, state, final }) =>
            id === agentId && purpose === 'bond' && state === 'settled' && !final,
        ),
      ),
    hasOpenBond: (agentId) =>
      ask('hasOpenBond', (view) => {
        for (const { agentId: id, purpose, state, mature } of view.all(tables.transfers)) {
          const isOpen = state === 'intended' || (state === 'settled' && !mature)
          if (isOpen && id === agentId && (purpose === 'bond' || purpose === 'withdrawal')) return true
        }
        return false
      }),
    countWithdrawals: (agentId) =>
      ask('countWithdrawals', (view) => {
        let count = 0
        for (const { agentId: owner, purpose } of view.all(tables.transfers)) {
          if (owner === agentId && purpose === 'withdrawal') count++
        }
        return count
      }),
    unsentWithdrawals: (agentId) =>
      ask('unsentWithdrawals', (view) => {
        const found: string[] = []
        for (const { id, agentId: owner, purpose, state, signature } of view.all(tables.transfers)) {
          const isUnsent = purpose === 'withdrawal' && state === 'intended' && signature === null
          if (isUnsent && owner === agentId) found.push(id)
        }
        return found
      }),
    bondDebt: (agentId, network) => ask('bondDebt', (view) => bondDebtOf(tables, view, agentId, network)),
  }) satisfies Partial<Reader>

export function bondDebtOf({ postings }: Tables, view: View, agentId: string, network: string): bigint {
  let debt = 0n
  for (const posting of view.all(postings)) {
    if (posting.agentId !== agentId || posting.network !== network || posting.reason !== 'undone') continue
    if (posting.debit === 'house') debt += posting.amount
    if (posting.credit === 'house') debt -= posting.amount
  }
  return debt
}

export const bondWrites = (tables: Tables, { change }: Statements) =>
  ({
    adjustBond: (id, network, by) =>
      change('adjustBond', [`agent ${id}`], (own) => {
        const agent = own.get(tables.agents, id)
        if (!agent || (agent.bondBalance !== 0n && agent.bondNetwork !== network)) {
          throw new Error(`The bond of ${id} is not on ${network}.`)
        }
        const bondBalance = agent.bondBalance + by
        if (bondBalance < 0n) throw new Error(`The bond of ${id} would be ${bondBalance}.`)
        own.put(tables.agents, id, { ...agent, bondBalance, bondNetwork: network })
      }),
  }) satisfies Partial<Transaction>

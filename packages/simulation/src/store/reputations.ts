import type { Transaction } from '@guildhall/server/parts'
import type { Statements } from './statements.ts'
import type { Tables } from './tables.ts'

export const reputationWrites = (tables: Tables, { change }: Statements) =>
  ({
    async lockReputations(agentIds) {
      const ids = [...agentIds].sort()
      const keys = ids.map((id) => `reputation ${id}`)
      const found = await change('lockReputations', keys, (own) => ids.map((id) => own.get(tables.reputations, id)))
      return (agentId) => found[ids.indexOf(agentId)] ?? missing(agentId)
    },
    saveReputation: (reputation) =>
      change('saveReputation', [`reputation ${reputation.agentId}`], (own) =>
        own.put(tables.reputations, reputation.agentId, reputation),
      ),
  }) satisfies Partial<Transaction>

function missing(agentId: string): never {
  throw new Error(`There is no reputation of ${agentId}.`)
}

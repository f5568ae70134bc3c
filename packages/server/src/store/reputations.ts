import type { Reputation } from '../domain/reputation/reputation.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import { anyOf, askedTogether } from './asked-together.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'
import { type ReputationRow, reputationTable } from './reputation-row.ts'
import { columnsOf, updateAllBut } from './table.ts'

const select = `select ${columnsOf(reputationTable, 'r')} from reputations r`
const update = updateAllBut(reputationTable, 'agent_id', [])

/** Locked in the order of their numbers, as everywhere, so that two transactions cannot deadlock. */
const lock = `${select} where r.agent_id = any($1) order by r.nr for no key update`

export const reputationReads = (connection: Connection) =>
  ({
    reputation: (agentId) => readOne(connection, reputationTable.read, `${select} where r.agent_id = $1`, [agentId]),
  }) satisfies Partial<Reader>

/** Every profile shows its agent's reputation, so concurrent reads share a statement. */
export const profileReputationRead = (connection: Connection) =>
  ({
    reputation: askedTogether(async (agentIds) => {
      const rows = await connection.rows<ReputationRow>(`${select} where r.agent_id = ${anyOf('$1')}`, [agentIds])
      return new Map(rows.map((row) => [row.agent_id, reputationTable.read(row)]))
    }),
  }) satisfies Partial<Reader>

export const reputationWrites = (connection: Connection) =>
  ({
    async lockReputations(agentIds) {
      const rows = await connection.rows<ReputationRow>(lock, [agentIds])
      const found = new Map(rows.map((row) => [row.agent_id, reputationTable.read(row)]))
      return (agentId) => found.get(agentId) ?? missing(agentId)
    },
    async saveReputation(reputation: Reputation) {
      await connection.write(update.text, update.values(reputation))
    },
  }) satisfies Partial<Transaction>

function missing(agentId: string): never {
  throw new Error(`There is no reputation of ${agentId}.`)
}

import { isoTime } from '../domain/instant.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

/**
 * The posting and its effect on the two balances. `wallet` is what we hold and grows by debits; the other accounts say to whom it
 * belongs and grow by credits, so `wallet` equals the sum of the others.
 */
const post = `
with posted as (
  insert into postings (id, network, debit, credit, amount, reason, transfer_id, task_id, agent_id, tx_hash, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  returning network, debit, credit, amount
)
insert into tally_changes (topic, item, change)
select 'balance', network || ' ' || debit, case debit when 'wallet' then amount else -amount end from posted
union all
select 'balance', network || ' ' || credit, case credit when 'wallet' then -amount else amount end from posted`

const bondDebt = `
select coalesce(sum(case credit when 'bonds' then amount else -amount end), 0) as atomic from postings
where reason = 'undone' and agent_id = $1 and network = $2 and 'house' in (debit, credit)`

export const journalReads = (connection: Connection) =>
  ({
    bondDebt: async (agentId, network) =>
      (await connection.first<{ atomic: bigint }>(bondDebt, [agentId, network]))?.atomic ?? 0n,
  }) satisfies Partial<Reader>

export const journalWrites = (connection: Connection) =>
  ({
    async post({ id, network, debit, credit, amount, reason, transferId, taskId, agentId, txHash, createdAt }) {
      const about = [transferId, taskId, agentId, txHash, isoTime(createdAt)]
      await connection.write(post, [id, network, debit, credit, amount, reason, ...about])
    },
  }) satisfies Partial<Transaction>

import type { AgentRow, PostingRow, TransferRow } from '../books/rows.ts'
import type { Invariant } from '../invariant.ts'

/**
 * I13: an agent's bond is what it paid in, less what was slashed, withdrawn or is being withdrawn; never below zero. Whoever the
 * house stands in for, because the chain took a bond back that was gone already, has no bond there, and owes no more than the chain
 * still keeps back.
 */
export const bondsAreCovered: Invariant = {
  name: 'I13 bonds are covered',
  *broken({ books }) {
    const movements = books.postings.filter(({ debit, credit }) => debit === 'bonds' || credit === 'bonds')
    const byAgent = Map.groupBy(movements, ({ agent_id }) => agent_id)
    const agents = new Map(books.agents.map((agent) => [agent.id, agent]))
    const leaving = Map.groupBy(
      books.transfers.filter(({ purpose, state }) => purpose === 'withdrawal' && state === 'intended'),
      ({ agent_id }) => agent_id,
    )
    for (const id of new Set([...agents.keys(), ...byAgent.keys()])) {
      const kept = (byAgent.get(id) ?? []).reduce((sum, posting) => sum + change(posting), 0n)
      const asked = (leaving.get(id) ?? []).reduce((sum, { amount }) => sum + amount, 0n)
      const paid = kept - asked
      const agent = agents.get(id ?? '')
      if (!agent) yield `a bond of ${paid} belongs to ${id}, who is not registered`
      else if (agent.bond_balance !== paid)
        yield `agent ${id} has a bond of ${agent.bond_balance}, its journal says ${paid}`
      if (agent && agent.bond_balance < 0n) yield `agent ${id} has a bond of ${agent.bond_balance}`
      if (agent) yield* unpaidDebt(agent, byAgent.get(id) ?? [], books.transfers)
    }
  },
}

function* unpaidDebt(
  { id, bond_balance, bond_network }: AgentRow,
  postings: readonly PostingRow[],
  transfers: readonly TransferRow[],
): Iterable<string> {
  const shares = postings.filter(({ reason, transfer_id }) => reason === 'undone' && transfer_id === null)
  for (const [network, several] of Map.groupBy(shares, (posting) => posting.network)) {
    const debt = several.reduce((sum, posting) => sum + change(posting), 0n)
    if (debt > 0n && bond_balance > 0n && network === bond_network)
      yield `agent ${id} has a bond of ${bond_balance}, and owes the house ${debt} for one that is gone`
    const gone = transfers
      .filter((one) => one.purpose === 'bond' && one.agent_id === id && one.network === network)
      .reduce((sum, { state, amount }) => (state === 'settled' ? sum : sum + amount), 0n)
    if (debt > gone) yield `agent ${id} owes the house ${debt} for bonds, of which ${gone} are gone`
  }
}

const change = ({ credit, amount }: PostingRow): bigint => (credit === 'bonds' ? amount : -amount)

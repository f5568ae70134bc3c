import { expect, test } from 'vitest'
import type { Books } from '../books/read-books.ts'
import type { AgentRow, PostingRow, TransferRow } from '../books/rows.ts'
import { bondsAreCovered } from './bonds-are-covered.ts'

const network = 'eip155:8453'
const about = { network, agent_id: 'ag_1' }

const broken = (balance: bigint, postings: readonly object[], state = 'dead') => {
  const agent = { id: 'ag_1', bond_balance: balance, bond_network: network } as AgentRow
  const bond = { ...about, purpose: 'bond', amount: 2n, state } as TransferRow
  const books = { agents: [agent], transfers: [bond], postings: postings as PostingRow[] } as Pick<
    Books,
    'agents' | 'transfers' | 'postings'
  > as Books
  return [...bondsAreCovered.broken({ books, chains: [], escrowWallet: '0x', now: null })]
}

test('the house stands in only for agents without a bond on that network, and for no more than was reorged away', () => {
  const bond = { ...about, debit: 'wallet', credit: 'bonds', amount: 2n, reason: 'bond', transfer_id: 'tr_1' }
  const withdrawal = {
    ...about,
    debit: 'bonds',
    credit: 'wallet',
    amount: 2n,
    reason: 'withdrawal',
    transfer_id: 'bwd_1',
  }
  const undone = { ...about, debit: 'bonds', credit: 'wallet', amount: 2n, reason: 'undone', transfer_id: 'tr_1' }
  const standsIn = { ...about, debit: 'house', credit: 'bonds', amount: 2n, reason: 'undone', transfer_id: null }
  const paidBack = { ...standsIn, debit: 'bonds', credit: 'house' }
  const taken = [bond, withdrawal, undone, standsIn]
  expect(broken(0n, taken)).toEqual([])
  expect(broken(0n, taken, 'settled')).toEqual(['agent ag_1 owes the house 2 for bonds, of which 0 are gone'])
  expect(broken(0n, [...taken, bond, paidBack])).toEqual([])
  expect(broken(2n, [...taken, bond])).toEqual([
    'agent ag_1 has a bond of 2, and owes the house 2 for one that is gone',
  ])
})

import { expect, test } from 'vitest'
import type { Books } from '../books/read-books.ts'
import type { ChainView, Movement } from '../chain/read-chain.ts'
import { oneExitPerDeposit } from './one-exit-per-deposit.ts'

const network = 'eip155:8453'
const escrowWallet = `0x${'e5'.repeat(20)}`
const stranger = `0x${'5e'.repeat(20)}`

const broken = (value: bigint) => {
  const left: Movement = { from: escrowWallet, to: stranger, value, txHash: '0x01', logIndex: 0, blockNumber: 1n }
  const chain: ChainView = { network, balance: 0n, movements: [left], spendings: [] }
  const books = { transfers: [] } as Pick<Books, 'transfers'> as Books
  return [...oneExitPerDeposit.broken({ books, chains: [chain], escrowWallet, now: null })]
}

test('a transfer of nothing, which anybody can make in the name of the wallet, is no exit', () => {
  expect(broken(0n)).toEqual([])
  expect(broken(1n)).toHaveLength(1)
})

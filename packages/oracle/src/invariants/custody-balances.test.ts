import { expect, test } from 'vitest'
import { OPENING } from '../books/opening.ts'
import type { Books } from '../books/read-books.ts'
import type { MovementRow, PostingRow, TransferRow } from '../books/rows.ts'
import type { ChainView, Movement } from '../chain/read-chain.ts'
import { custodyBalances } from './custody-balances.ts'

const network = 'eip155:8453'
const escrowWallet = `0x${'e5'.repeat(20)}`
const sender = `0x${'5e'.repeat(20)}`

/** A wallet that held 7 when the watch began with block 5,000. */
const books = {
  tasks: [],
  transfers: [],
  postings: [{ network, debit: 'wallet', credit: 'suspense', amount: 7n, transfer_id: null } as PostingRow],
  movements: [{ network, tx_hash: OPENING, block_number: 5_000n, amount: 7n, covers_loss: false } as MovementRow],
  watches: [{ network, first_block: 5_000n, block: 6_000n, balance: 7n }],
  tallies: ['wallet', 'suspense'].map((account) => ({ topic: 'balance', item: `${network} ${account}`, amount: 7n })),
} as Pick<Books, 'tasks' | 'transfers' | 'postings' | 'movements' | 'watches' | 'tallies'> as Books

const moved = (from: string, to: string, value: bigint, blockNumber: bigint): Movement => ({
  from,
  to,
  value,
  blockNumber,
  txHash: `0x${blockNumber}`,
  logIndex: 0,
})
const broken = (balance: bigint, movements: readonly Movement[]) => {
  const chain: ChainView = { network, balance, movements, spendings: [] }
  return [...custodyBalances.broken({ books, chains: [chain], escrowWallet, now: null })]
}

test('a balance from before the watch is explained, whichever of the movements that led to it are read', () => {
  const [came, went] = [moved(sender, escrowWallet, 10n, 4_100n), moved(escrowWallet, sender, 3n, 4_200n)]
  expect(broken(7n, [])).toEqual([])
  expect(broken(7n, [went])).toEqual([])
  expect(broken(7n, [came, went])).toEqual([])
})

test('what comes after the watch began is explained by itself, and what leaves is not', () => {
  expect(broken(9n, [moved(sender, escrowWallet, 2n, 6_001n)])).toEqual([])
  expect(broken(6n, [moved(escrowWallet, sender, 1n, 6_001n)])).toHaveLength(1)
})

test('a payout that died with its deposit and left all the same is missing, until it is covered', () => {
  const payout = { network, payer: escrowWallet, payee: sender, nonce: '0x01', amount: 2n }
  const dead = { ...payout, purpose: 'release', state: 'dead' } as TransferRow
  const left = moved(escrowWallet, sender, 2n, 6_001n)
  const spent = { authorizer: escrowWallet, nonce: '0x01', txHash: left.txHash, blockNumber: 6_001n, movement: left }
  const cover = moved(sender, escrowWallet, 2n, 6_002n)
  const judged = (balance: bigint, movements: readonly Movement[], covering: readonly MovementRow[]) => {
    const chain: ChainView = { network, balance, movements, spendings: [spent] }
    const now = { ...books, transfers: [dead], movements: [...books.movements, ...covering] }
    return [...custodyBalances.broken({ books: now, chains: [chain], escrowWallet, now: null })]
  }
  expect(judged(5n, [left], [])).toHaveLength(1)
  const covering = {
    network,
    tx_hash: cover.txHash,
    block_number: 6_002n,
    amount: 2n,
    return_id: null,
    covers_loss: true,
  } as MovementRow
  expect(judged(7n, [left, cover], [covering])).toEqual([])
})

test('a stray that was sent back, reorged away and mined again is missing once, until it is covered', () => {
  const booked = { network, debit: 'wallet', credit: 'suspense', amount: 2n, transfer_id: null } as PostingRow
  const returned = { network, debit: 'suspense', credit: 'wallet', amount: 2n, transfer_id: 'tr_1' } as PostingRow
  const authorized = { network, payer: escrowWallet, payee: sender, nonce: '0x01', amount: 2n }
  const sentBack = { ...authorized, id: 'tr_1', purpose: 'return', state: 'settled' } as TransferRow
  const gone = { network, tx_hash: '0x0', log_index: 0, amount: 2n, return_id: 'tr_1', proven: false } as MovementRow
  const [again, left] = [moved(sender, escrowWallet, 2n, 6_001n), moved(escrowWallet, sender, 2n, 6_002n)]
  const cover = moved(sender, escrowWallet, 2n, 6_003n)
  const covering = { network, tx_hash: cover.txHash, amount: 2n, return_id: null, covers_loss: true } as MovementRow
  const spent = { authorizer: escrowWallet, nonce: '0x01', txHash: left.txHash, blockNumber: 6_002n, movement: left }
  const tallies = books.tallies.map((tally) => ({ ...tally, amount: 9n }))
  const postings = [...books.postings, booked, booked, returned]
  const judged = (balance: bigint, movements: readonly Movement[], covering: readonly MovementRow[]) => {
    const chain: ChainView = { network, balance, movements, spendings: [spent] }
    const rows = [...books.movements, gone, ...covering]
    const now = { ...books, transfers: [sentBack], postings, tallies, movements: rows } as Books
    return [...custodyBalances.broken({ books: now, chains: [chain], escrowWallet, now: null })]
  }
  expect(judged(7n, [again, left], [])).toHaveLength(1)
  expect(judged(9n, [again, left, cover], [covering])).toEqual([])
})

test('the house may owe what it stands in for after a bond was reorged away, and no more', () => {
  const standsIn = { network, debit: 'house', credit: 'bonds', amount: 3n, reason: 'undone', transfer_id: null }
  const judged = (extra: readonly object[]) => {
    const postings = [...books.postings, standsIn, ...extra] as PostingRow[]
    const now = { ...books, postings, tallies: [] } as Books
    return [...custodyBalances.broken({ books: now, chains: [], escrowWallet, now: null })].filter((what) =>
      what.includes('the account house is at'),
    )
  }
  expect(judged([])).toEqual([])
  expect(judged([{ ...standsIn, amount: 1n, reason: 'slash' }])).toHaveLength(1)
})

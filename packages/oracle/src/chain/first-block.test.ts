import { expect, test } from 'vitest'
import type { MovementRow, TransferRow, WatchRow } from '../books/rows.ts'
import { firstBlock } from './first-block.ts'

const network = 'eip155:8453'
const transfer = { network, from_block: 50_000n } as TransferRow
const movement = { network, block_number: 40_000n } as MovementRow
const watch: WatchRow = { network, first_block: 30_000n, block: 60_000n, balance: 0n }
const nothing = { transfers: [], movements: [], watches: [] }

test('a chain is read from the earliest block that the books know, and for a transfer from a little before', () => {
  expect(firstBlock({ ...nothing, transfers: [transfer] }, network)).toBe(49_000n)
  expect(firstBlock({ ...nothing, transfers: [transfer], movements: [movement] }, network)).toBe(40_000n)
  expect(firstBlock({ transfers: [transfer], movements: [movement], watches: [watch] }, network)).toBe(30_000n)
})

test('a watched wallet to which nothing has happened is read from where the watch began', () => {
  expect(firstBlock({ ...nothing, watches: [watch] }, network)).toBe(30_000n)
})

test('a chain of which the books know nothing is read whole', () => {
  expect(firstBlock({ transfers: [transfer], movements: [movement], watches: [watch] }, 'eip155:1')).toBe(0n)
  expect(firstBlock({ ...nothing, watches: [{ ...watch, first_block: null }] }, network)).toBe(0n)
})

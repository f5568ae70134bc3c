import { describe, expect, test } from 'vitest'
import { sampleAuthorization, sampleTransfer } from '../../../tests/support/samples.ts'
import { type Movement, netOf } from './movement.ts'
import { differenceOf } from './reconcile.ts'
import { isMovementOf, settledMovement } from './settled-movement.ts'
import { troubleOf } from './trouble.ts'

const WALLET = '0x00000000000000000000000000000000000e5c40'
const SOMEBODY = '0x0000000000000000000000000000000000000a11'
const place = { txHash: `0x${'ab'.repeat(32)}`, logIndex: 3, blockNumber: 7n } as const
const into = (amount: bigint): Movement => ({ ...place, incoming: true, counterparty: SOMEBODY, amount })
const out = (amount: bigint): Movement => ({ ...into(amount), incoming: false })

test('the sum of movements is the change of the balance', () => {
  expect(netOf([into(5n), out(3n), into(1n)])).toBe(3n)
})

describe('the difference between chain and books', () => {
  const even = { journal: 10n, notBooked: 0n, notProven: 0n, underWay: 0n }

  test('is nothing when both say the same', () => {
    expect(differenceOf(10n, even)).toBe(0n)
  })

  test('leaves out what is on chain and not in the books yet, in or out', () => {
    expect(differenceOf(15n, { ...even, notBooked: 5n })).toBe(0n)
    expect(differenceOf(6n, { ...even, notBooked: -4n })).toBe(0n)
  })

  test('leaves out what is in the books and not on chain yet, in or out', () => {
    expect(differenceOf(7n, { ...even, notProven: 3n })).toBe(0n)
    expect(differenceOf(12n, { ...even, notProven: -2n })).toBe(0n)
  })

  test('is below zero when money is missing', () => {
    expect(differenceOf(9n, even)).toBe(-1n)
  })
})

describe('a movement is of a transfer', () => {
  const deposit = sampleTransfer({ authorization: sampleAuthorization({ from: SOMEBODY, to: WALLET, value: 5n }) })

  test('when payer, payee and amount are the same', () => {
    expect(isMovementOf(into(5n), deposit, WALLET)).toBe(true)
    expect(isMovementOf(into(4n), deposit, WALLET)).toBe(false)
    expect(isMovementOf(out(5n), deposit, WALLET)).toBe(false)
    expect(isMovementOf({ ...into(5n), counterparty: WALLET }, deposit, WALLET)).toBe(false)
  })

  test('but not when the transfer is dead', () => {
    expect(isMovementOf(into(5n), { ...deposit, state: 'dead' }, WALLET)).toBe(false)
  })

  test('and a settled transfer is such a movement', () => {
    expect(settledMovement(deposit, place)).toEqual(into(5n))
    const payout = { from: WALLET, to: SOMEBODY, value: 2n } as const
    const release = sampleTransfer({ purpose: 'release', authorization: sampleAuthorization(payout) })
    expect(settledMovement(release, place)).toEqual(out(2n))
  })
})

describe('trouble', () => {
  const calm = { network: 'eip155:8453', difference: 0n, house: 0n, unexplained: 0n, underWay: 0n, strangeOutflows: [] }

  test('there is none when everything is explained to the unit', () => {
    expect(troubleOf(calm)).toBeNull()
  })

  test('there is none in more than the books say, as long as so much is under way', () => {
    expect(troubleOf({ ...calm, difference: 5n, underWay: 5n })).toBeNull()
    expect(troubleOf({ ...calm, difference: 6n, underWay: 5n })?.stopsPayouts).toBe(false)
    expect(troubleOf({ ...calm, difference: -1n, underWay: 5n })?.stopsPayouts).toBe(true)
  })

  test('stops payouts when money left unasked or is missing', () => {
    expect(troubleOf({ ...calm, strangeOutflows: [out(1n)] })?.stopsPayouts).toBe(true)
    expect(troubleOf({ ...calm, difference: -1_500_000n })).toMatchObject({
      stopsPayouts: true,
      text: 'the escrow wallet on eip155:8453 holds 1.50 USDC less than the books say',
    })
  })

  test('is told as long as the logs do not explain the balance, though nothing is missing: no look is complete', () => {
    expect(troubleOf({ ...calm, unexplained: -1_500_000n })).toEqual({
      alarm: 'the logs of the chain do not explain the escrow wallet',
      text: 'the escrow wallet on eip155:8453 holds 1.50 USDC less than the logs of the chain explain',
      stopsPayouts: false,
    })
  })

  test('is told when the house owes more than it has, though payouts wait for that by themselves', () => {
    expect(troubleOf({ ...calm, house: 1n })).toBeNull()
    expect(troubleOf({ ...calm, house: -1_500_000n })).toMatchObject({
      stopsPayouts: false,
      text: 'the escrow wallet on eip155:8453 holds 1.50 USDC less than it owes: the chain took a bond back that had left it',
    })
    expect(troubleOf({ ...calm, house: -1n, difference: -1n })?.stopsPayouts).toBe(true)
  })

  test('lets payouts go on when there is more than expected', () => {
    expect(troubleOf({ ...calm, difference: 1n })?.stopsPayouts).toBe(false)
    expect(troubleOf({ ...calm, difference: 1n, unexplained: 1n })?.stopsPayouts).toBe(false)
  })
})

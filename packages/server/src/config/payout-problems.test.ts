import { expect, test } from 'vitest'
import { payoutProblems } from './payout-problems.ts'

const caps = {
  escrowKey: `0x${'1'.repeat(64)}`,
  escrowWallet: null,
  houseWalletKey: `0x${'2'.repeat(64)}`,
  minBountyAtomic: 100_000n,
  testing: { network: 'eip155:8453', bountyAtomic: 2_000_000n, minScore: 0.2 },
  maxPayoutAtomic: 50_000_000n,
  maxHourlyPayoutAtomic: 50_000_000n,
} as const

test('caps that every payout fits under are no problem', () => {
  expect(payoutProblems(caps)).toEqual([])
})

test.each([
  ['an hour', { maxHourlyPayoutAtomic: 49_999_999n }, /^GUILDHALL_MAX_HOURLY_PAYOUT_USDC is 49.999999, .* 50.00, or/],
  ['one payout', { minBountyAtomic: 50_000_001n }, /^GUILDHALL_MAX_PAYOUT_USDC is 50.00, less than the smallest/],
  [
    'one payout for a test',
    { testing: { ...caps.testing, bountyAtomic: 50_000_001n } },
    /^GUILDHALL_TESTING_BOUNTY_USDC is 50.000001, more/,
  ],
])('a cap on %s under which money could never leave is named, with what to set', (_, changes, problem) => {
  expect(payoutProblems({ ...caps, ...changes })).toEqual([expect.stringMatching(problem)])
})

test('without escrow the caps do not matter', () => {
  expect(payoutProblems({ ...caps, escrowKey: null, maxHourlyPayoutAtomic: 1n })).toEqual([])
})

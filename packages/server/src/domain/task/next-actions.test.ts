import { DAY, TASK_STATUSES } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { sampleEscrow, sampleTask } from '../../../tests/support/samples.ts'
import { nextActions, type Party } from './next-actions.ts'
import type { Task } from './task.ts'

const NOW = 1_800_000_000_000
const free = { bounty: null, escrow: null, paymentStatus: 'none' } as const
const bounty = { amount: 5_000_000n, network: 'eip155:8453' }
const open: Task = { ...sampleTask(), ...free, status: 'open', claimedBy: null, expiresAt: NOW + 60 * DAY }
const claimed: Task = { ...open, status: 'claimed', claimedBy: 'ag_worker', claimExpiresAt: NOW + 7 * DAY }
const submitted: Task = {
  ...claimed,
  status: 'submitted',
  claimExpiresAt: null,
  autoReleaseAt: NOW + 7 * DAY,
  reviewState: null,
  revisionCount: 0,
}
const disputed: Task = { ...submitted, reviewState: 'disputed', autoReleaseAt: null }

const told = (task: Task, party: Party, now = NOW) =>
  nextActions(task, party, now).map(({ rel, who, deadline }) =>
    [who, rel, ...(deadline === null ? [] : [(deadline - NOW) / DAY])].join(' '),
  )

describe('what can happen next', () => {
  test.each<[string, Task, Party, readonly string[]]>([
    ['to an open task', open, 'poster', ['poster cancel 60', 'agent claim 60', 'service expire 60']],
    [
      'to a claim, for its holder',
      claimed,
      'deliverer',
      ['deliverer deliver 7', 'poster cancel', 'service claim_lapses 7'],
    ],
    [
      'to a claim, for the poster',
      claimed,
      'poster',
      ['poster cancel', 'deliverer deliver 7', 'service claim_lapses 7'],
    ],
    [
      'to a delivery',
      submitted,
      'poster',
      ['poster accept 7', 'poster revision 7', 'poster dispute 7', 'service auto_accept 7'],
    ],
    [
      'to a disputed delivery, which no timer ends',
      disputed,
      'poster',
      ['poster accept', 'poster revision', 'poster cancel'],
    ],
    [
      'to a delivery after the last revision',
      { ...submitted, revisionCount: 3 },
      'poster',
      ['poster accept 7', 'poster dispute 7', 'service auto_accept 7'],
    ],
  ])('%s', (_, task, party, expected) => {
    expect([...told(task, party)].sort()).toEqual([...expected].sort())
    const own = told(task, party).map((line) => line.startsWith(party))
    expect(own.lastIndexOf(true)).toBeLessThan(own.includes(false) ? own.indexOf(false) : own.length)
  })

  test('is only what the clock does once its time has come', () => {
    expect(told(submitted, 'poster', NOW + 7 * DAY)).toEqual(['service auto_accept 7'])
    expect(told(submitted, 'poster', NOW + 7 * DAY - 1)).toContain('poster accept 7')
  })

  test('is nothing at the end', () => {
    for (const status of ['cancelled', 'expired', 'verified', 'closed'] as const)
      expect(told({ ...submitted, status, autoReleaseAt: null }, 'poster')).toEqual([])
  })

  test('is to pay what was accepted and is still due', () => {
    const due: Task = { ...disputed, status: 'verified', bounty, paymentStatus: 'pending' }
    expect(told(due, 'poster')).toEqual(['poster pay'])
    expect(nextActions(due, 'poster', NOW)[0]?.path).toBe('accept')
  })

  test('is to fund a deposit that failed, unless a wallet hired; nobody claims before', () => {
    const unfunded: Task = { ...open, bounty, paymentStatus: 'expired', escrow: sampleEscrow({ status: 'unfunded' }) }
    expect(told(unfunded, 'poster')).toContain('poster fund')
    expect(told(unfunded, 'poster').join()).not.toContain('claim')
    expect(told({ ...unfunded, creator: { kind: 'wallet', id: '0xaa' } }, 'poster')).not.toContain('poster fund')
  })

  test('is never a cancellation while money is on its way', () => {
    const funding: Task = { ...open, bounty, paymentStatus: 'settling', escrow: sampleEscrow() }
    expect(told(funding, 'poster')).toEqual([])
  })

  test('is asked for in every state without a fault', () => {
    for (const status of TASK_STATUSES)
      for (const party of ['poster', 'deliverer'] as const)
        expect(Array.isArray(nextActions({ ...claimed, status }, party, NOW))).toBe(true)
  })
})

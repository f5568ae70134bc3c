import { type EscrowStatus, limits, type PaymentStatus, TASK_STATUSES, type TaskStatus } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import type { PayoutWallet } from '../agent/agent.ts'
import { type EscrowTrigger, escrowAfter, escrowLifecycle } from '../escrow/lifecycle.ts'
import { newEscrow } from '../escrow/new-escrow.ts'
import { follow } from '../lifecycle.ts'
import type { Actor, TaskFacts } from './facts.ts'
import { type TaskTrigger, taskLifecycle } from './lifecycle.ts'
import { newTask } from './new-task.ts'
import type { Task } from './task.ts'

const { claimWindowMs, autoAcceptMs } = limits.task
const BUYER = 'ag_buyer'
const WORKER = 'ag_worker'
const STRANGER = 'ag_stranger'
const PAYER = '0x00000000000000000000000000000000000000aa'
const ESCROW = '0x00000000000000000000000000000000000000cc'
const wallet: PayoutWallet = {
  address: '0x00000000000000000000000000000000000000bb',
  network: 'eip155:8453',
  kind: 'plain',
  verifiedAt: 0,
  proof: { message: '', signature: '' },
}

const actors: readonly Actor[] = [
  { kind: 'creator', id: BUYER },
  { kind: 'creator', id: STRANGER },
  { kind: 'agent', id: BUYER },
  { kind: 'agent', id: WORKER },
  { kind: 'agent', id: STRANGER },
  { kind: 'clock', id: null },
]
const triggers = Object.keys(taskLifecycle.triggers) as readonly TaskTrigger[]
const timers: readonly TaskTrigger[] = ['claim lapses', 'unreviewed', 'expires']

const postedTask = (mode: 'free' | 'escrow' | 'declared'): Task =>
  newTask({
    id: 'task_1',
    creator: { kind: 'agent', id: BUYER },
    title: 't',
    description: 'd',
    category: null,
    requiredCapabilities: [],
    expectedOutput: null,
    outputFormat: 'json',
    expiresInDays: 60,
    createdAt: 0,
    expiresAt: 1_000 * claimWindowMs,
    bounty: mode === 'free' ? null : { amount: 5_000_000n, network: 'eip155:8453' },
    escrow: mode === 'escrow' ? newEscrow({ wallet: ESCROW, payer: PAYER, depositId: 'tr_1' }) : null,
    paymentStatus: mode === 'free' ? 'none' : mode === 'escrow' ? 'settling' : 'pending',
  })

const factsOf = (task: Task, actor: Actor, over: Partial<TaskFacts> = {}): TaskFacts => ({
  task,
  actor,
  now: Number.MAX_SAFE_INTEGER,
  wallet,
  budget: 10,
  budgetLeft: 10,
  deliversAgain: false,
  note: 'n',
  rating: null,
  signature: null,
  ...over,
})

type Walked = { readonly task: Task; readonly payouts: readonly string[] }

/** Everything that can happen next: any trigger by anybody, at a time when every timer is due; and the chain's own moves. */
function next({ task, payouts }: Walked): readonly Walked[] {
  const moved = triggers.flatMap((trigger) =>
    actors.flatMap((actor): Walked[] => {
      if ((actor.kind === 'clock') !== timers.includes(trigger)) return []
      const followed = follow(taskLifecycle, task.status, trigger, factsOf(task, actor))
      if (followed.kind === 'refused') return []
      const paid = followed.effects.flatMap((effect) => (effect.kind === 'pay out' ? [effect.purpose] : []))
      return [{ task: { ...task, ...followed.changes, status: followed.to }, payouts: [...payouts, ...paid] }]
    }),
  )
  const { escrow } = task
  if (!escrow) return moved
  const byChain: readonly EscrowTrigger[] = ['deposit proven', 'deposit dead', 'payout proven']
  const settled = byChain.flatMap((trigger): Walked[] => {
    if (escrowLifecycle[escrow.status][trigger] === undefined) return []
    const status = escrowAfter(escrow.status, trigger)
    return [{ task: { ...task, escrow: { ...escrow, status }, paymentStatus: paymentFor(status) }, payouts }]
  })
  return [...moved, ...settled]
}

const paymentFor = (status: EscrowStatus): PaymentStatus =>
  status === 'funded' ? 'pending' : status === 'released' ? 'settled' : status === 'refunded' ? 'refunded' : 'expired'

/** The parts of a task on which anything further depends. */
const keyOf = ({ task, payouts }: Walked): string =>
  JSON.stringify([
    task.status,
    task.escrow?.status,
    task.paymentStatus,
    task.reviewState,
    task.revisionCount,
    task.claimedBy,
    payouts,
  ])

function walk(start: Task): readonly Walked[] {
  const seen = new Map<string, Walked>()
  const queue: Walked[] = [{ task: start, payouts: [] }]
  for (let here = queue.pop(); here !== undefined; here = queue.pop()) {
    if (seen.has(keyOf(here))) continue
    seen.set(keyOf(here), here)
    queue.push(...next(here))
  }
  return [...seen.values()]
}

describe.each(['free', 'escrow', 'declared'] as const)('every reachable path of a %s task', (mode) => {
  const reached = walk(postedTask(mode))

  test('pays out at most once, and only from escrow', () => {
    for (const { payouts } of reached) expect(payouts.length).toBeLessThanOrEqual(mode === 'escrow' ? 1 : 0)
  })

  test('a release belongs to a verified task, a refund to a cancelled or expired one', () => {
    for (const { task, payouts } of reached) {
      if (payouts.includes('release')) expect(task.status).toBe('verified')
      if (payouts.includes('refund')) expect(['cancelled', 'expired']).toContain(task.status)
    }
  })

  test('held money never stays behind in a task that has ended', () => {
    for (const { task } of reached) {
      if (['verified', 'cancelled', 'expired'].includes(task.status)) expect(task.escrow?.status).not.toBe('funded')
    }
  })

  test('every status but closed is reached, and closed never is', () => {
    const statuses = new Set(reached.map(({ task }) => task.status))
    expect([...TASK_STATUSES].filter((status) => !statuses.has(status))).toEqual(['closed'] satisfies TaskStatus[])
  })

  test('nothing leaves a final status', () => {
    for (const walked of reached) {
      if (!['verified', 'cancelled', 'expired'].includes(walked.task.status)) continue
      for (const { task } of next(walked)) expect(task.status).toBe(walked.task.status)
    }
  })

  test('only the creator, the claimer or the clock ever moves it', () => {
    for (const { task } of reached) {
      for (const trigger of triggers.filter((name) => name !== 'claim' && !timers.includes(name))) {
        for (const actor of actors.filter(({ id }) => id === STRANGER && task.claimedBy !== STRANGER)) {
          const followed = follow(taskLifecycle, task.status, trigger, factsOf(task, actor))
          expect(followed.kind, `${trigger} by a stranger in ${task.status}`).toBe('refused')
        }
      }
    }
  })
})

describe('claiming', () => {
  const codeOf = (task: Task, over: Partial<TaskFacts> = {}, actor: Actor = { kind: 'agent', id: WORKER }) => {
    const followed = follow(taskLifecycle, task.status, 'claim', factsOf(task, actor, { now: 0, ...over }))
    return followed.kind === 'refused' ? followed.refusal.code : 'moved'
  }
  const funded = { ...postedTask('escrow') }
  const ready: Task = {
    ...funded,
    escrow: funded.escrow && { ...funded.escrow, status: 'funded' },
    paymentStatus: 'pending',
  }

  test('refusals come in the order of the specification', () => {
    expect(codeOf(postedTask('escrow'), { wallet: null, budgetLeft: 0 }, { kind: 'agent', id: BUYER })).toBe('own_task')
    expect(codeOf(postedTask('escrow'), { wallet: null, budgetLeft: 0 })).toBe('wallet_required')
    const elsewhere = { ...wallet, kind: 'contract', network: 'eip155:137' } as const
    expect(codeOf(postedTask('escrow'), { wallet: elsewhere, budgetLeft: 0 })).toBe('wallet_network_mismatch')
    expect(codeOf(postedTask('escrow'), { budgetLeft: 0 })).toBe('escrow_not_funded')
    expect(codeOf(ready, { budgetLeft: 0 })).toBe('claim_budget_exhausted')
    expect(codeOf(ready)).toBe('moved')
  })

  test('a claimed task gives conflict to the next claimer', () => {
    expect(codeOf({ ...ready, status: 'claimed', claimedBy: 'ag_other' })).toBe('conflict')
  })

  test('a verified plain-key wallet is paid at the same address on every EVM chain', () => {
    expect(codeOf(ready, { wallet: { ...wallet, network: 'eip155:137' } })).toBe('moved')
  })
})

describe('accepting', () => {
  const posted = postedTask('escrow')
  const codeOf = (status: EscrowStatus, trigger: TaskTrigger, actor: Actor) => {
    const task: Task = {
      ...posted,
      status: 'submitted',
      claimedBy: WORKER,
      autoReleaseAt: 0,
      escrow: posted.escrow && { ...posted.escrow, status },
    }
    const followed = follow(taskLifecycle, task.status, trigger, factsOf(task, actor, { now: 0 }))
    return followed.kind === 'refused' ? followed.refusal.code : 'moved'
  }

  test('waits for a deposit that the chain took back, be it by the poster or by the timer', () => {
    const poster: Actor = { kind: 'creator', id: BUYER }
    const clock: Actor = { kind: 'clock', id: null }
    for (const [trigger, actor] of [
      ['accept', poster],
      ['unreviewed', clock],
    ] as const) {
      expect(codeOf('funded', trigger, actor)).toBe('moved')
      expect(codeOf('funding', trigger, actor)).toBe('settlement_in_progress')
      expect(codeOf('unfunded', trigger, actor)).toBe('invalid_state')
    }
  })
})

describe('timers never act early', () => {
  const by = (trigger: TaskTrigger, task: Task, now: number) =>
    follow(taskLifecycle, task.status, trigger, factsOf(task, { kind: 'clock', id: null }, { now })).kind
  const claimed: Task = {
    ...postedTask('free'),
    status: 'claimed',
    claimedBy: WORKER,
    claimedAt: 0,
    claimExpiresAt: claimWindowMs,
  }
  const submitted: Task = {
    ...claimed,
    status: 'submitted',
    submittedAt: 0,
    autoReleaseAt: autoAcceptMs,
    claimExpiresAt: null,
  }

  test('a claim lapses after seven days, not before', () => {
    expect(by('claim lapses', claimed, claimWindowMs - 1)).toBe('refused')
    expect(by('claim lapses', claimed, claimWindowMs)).toBe('moved')
  })

  test('an unreviewed delivery is accepted after seven days, not before, and never while disputed', () => {
    expect(by('unreviewed', submitted, autoAcceptMs - 1)).toBe('refused')
    expect(by('unreviewed', submitted, autoAcceptMs)).toBe('moved')
    expect(by('unreviewed', { ...submitted, reviewState: 'disputed' }, autoAcceptMs)).toBe('refused')
  })

  test('an open task expires at the end of its window, not before', () => {
    const open = { ...postedTask('free'), expiresAt: 100 }
    expect(by('expires', open, 99)).toBe('refused')
    expect(by('expires', open, 100)).toBe('moved')
  })
})

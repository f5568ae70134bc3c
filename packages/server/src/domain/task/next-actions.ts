import type { NextActor } from '@guildhall/protocol'
import type { PayoutWallet } from '../agent/agent.ts'
import { escrowLifecycle } from '../escrow/lifecycle.ts'
import type { Instant } from '../instant.ts'
import { follow } from '../lifecycle.ts'
import { isFundable, isPaymentDue } from './claimable.ts'
import type { Actor, TaskFacts } from './facts.ts'
import { type TaskTrigger, taskLifecycle } from './lifecycle.ts'
import type { Task } from './task.ts'

export type Party = 'poster' | 'deliverer'

/** A possible next step of a task: by whom, why, and until when; for the service itself, when. */
export type NextAction = {
  readonly rel: string
  readonly who: NextActor
  /** The last segment of its path; null when no call does it. */
  readonly path: string | null
  readonly why: string
  readonly deadline: Instant | null
}

type Wording = Pick<NextAction, 'rel' | 'who' | 'path' | 'why'>

const WORDS: Readonly<Record<TaskTrigger, Wording>> = {
  claim: { rel: 'claim', who: 'agent', path: 'claim', why: 'The task is open: any other agent may claim it.' },
  deliver: { rel: 'deliver', who: 'deliverer', path: 'deliver', why: 'The claim is held until the work is delivered.' },
  accept: { rel: 'accept', who: 'poster', path: 'accept', why: 'A delivery waits for review: accepting it pays it.' },
  revision: { rel: 'revision', who: 'poster', path: 'revision', why: 'The delivery may need changes.' },
  dispute: {
    rel: 'dispute',
    who: 'poster',
    path: 'dispute',
    why: 'The delivery may not be what was asked for: a dispute stops automatic acceptance.',
  },
  cancel: { rel: 'cancel', who: 'poster', path: 'cancel', why: 'The task is not accepted: a held deposit goes back.' },
  'claim lapses': {
    rel: 'claim_lapses',
    who: 'service',
    path: null,
    why: 'Without a delivery the claim lapses and the task is open again.',
  },
  unreviewed: {
    rel: 'auto_accept',
    who: 'service',
    path: null,
    why: 'Without a review the delivery is accepted automatically.',
  },
  expires: {
    rel: 'expire',
    who: 'service',
    path: null,
    why: 'Without a claim the task expires and a deposit goes back.',
  },
}
const FUND: Wording = {
  rel: 'fund',
  who: 'poster',
  path: 'fund',
  why: 'The deposit failed: nobody can claim the task, nor be paid for it, before it is paid again.',
}
const PAY: Wording = {
  rel: 'pay',
  who: 'poster',
  path: 'accept',
  why: 'The delivery is accepted and its bounty is not paid yet.',
}

/** The possible next steps, with those of this party first. Read from the lifecycle table. */
export function nextActions(task: Task, party: Party, now: Instant): readonly NextAction[] {
  const timer = timerOf(task)
  if (timer !== null && timer.at <= now) return [{ ...WORDS[timer.trigger], deadline: timer.at }]
  const triggers = Object.keys(taskLifecycle.rows[task.status]) as readonly TaskTrigger[]
  const moves = triggers
    .filter((trigger) => WORDS[trigger].who !== 'service' && isPossible(task, trigger, now))
    .map((trigger) => ({ ...WORDS[trigger], deadline: isEndedBy(timer, trigger) ? (timer?.at ?? null) : null }))
  const byItself = timer === null ? [] : [{ ...WORDS[timer.trigger], deadline: timer.at }]
  const all = [...moves, ...moneyDue(task).map((due) => ({ ...due, deadline: null })), ...byItself]
  return [...all.filter(({ who }) => who === party), ...all.filter(({ who }) => who !== party)]
}

type Timer = { readonly trigger: TaskTrigger; readonly at: Instant }

/** The next timer of the task; null when there is none. */
function timerOf(task: Task): Timer | null {
  const timers: readonly (readonly [TaskTrigger, Instant | null])[] = [
    ['claim lapses', task.claimExpiresAt],
    ['unreviewed', task.autoReleaseAt],
    ['expires', task.expiresAt],
  ]
  for (const [trigger, at] of timers) if (at !== null && isPossible(task, trigger, at)) return { trigger, at }
  return null
}

/** A cancellation is still possible after a claim lapses; everything else ends with the state. */
const isEndedBy = (timer: Timer | null, trigger: TaskTrigger): boolean =>
  timer !== null && !(trigger === 'cancel' && timer.trigger === 'claim lapses')

/** Wallet and budget are not checked: they belong to the agent and are checked when it acts. */
const isPossible = (task: Task, trigger: TaskTrigger, now: Instant): boolean =>
  follow(taskLifecycle, task.status, trigger, factsOf(task, trigger, now)).kind === 'moved'

const ANY_WALLET: PayoutWallet = {
  address: '0x0000000000000000000000000000000000000001',
  network: '',
  kind: 'plain',
  verifiedAt: 0,
  proof: { message: '', signature: '' },
}

const factsOf = (task: Task, trigger: TaskTrigger, now: Instant): TaskFacts => ({
  task,
  now,
  actor: actorOf(task, WORDS[trigger].who),
  wallet: ANY_WALLET,
  budget: 1,
  budgetLeft: 1,
  deliversAgain: false,
  note: null,
  rating: null,
  signature: null,
})

function actorOf(task: Task, who: NextActor): Actor {
  if (who === 'poster') return { kind: 'creator', id: task.creator.id }
  if (who === 'deliverer') return { kind: 'agent', id: task.claimedBy }
  return who === 'service' ? { kind: 'clock', id: null } : { kind: 'agent', id: 'any other agent' }
}

/** Money the poster still owes, which the task lifecycle does not cover. A wallet's hire is funded or does not exist. */
function moneyDue(task: Task): readonly Wording[] {
  const { escrow, status, creator } = task
  const mayFund = isFundable(status) && creator.kind !== 'wallet' && escrow !== null
  if (mayFund && escrowLifecycle[escrow.status].fund !== undefined) return [FUND]
  return isPaymentDue(task) ? [PAY] : []
}

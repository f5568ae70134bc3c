import { type EventType, limits } from '@guildhall/protocol'
import type { TrackRecord } from '../agent/agent.ts'
import type { Consequence } from '../lifecycle.ts'
import type { Outcome } from '../reputation/changes.ts'
import type { TaskFacts } from './facts.ts'
import type { Task } from './task.ts'
import { isMailed, type Mailed } from './task-letter.ts'

/** Side effects of a move, all written in the same transaction. */
export type TaskEffect =
  | {
      readonly kind: 'tell'
      readonly agentId: string
      readonly type: EventType
      readonly payload: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'mail'; readonly about: Mailed }
  | { readonly kind: 'payment event'; readonly type: string; readonly details: Readonly<Record<string, unknown>> }
  | { readonly kind: 'pay out'; readonly purpose: 'release' | 'refund' }
  | { readonly kind: 'ledger'; readonly type: 'task_delivered' | 'task_verified' }
  | { readonly kind: 'count'; readonly agentId: string; readonly change: Partial<Record<keyof TrackRecord, number>> }
  | { readonly kind: 'slash bond'; readonly agentId: string }
  | { readonly kind: 'outcome'; readonly agentId: string; readonly outcome: Outcome }

type Also = Consequence<TaskFacts, TaskEffect>

const summaryOf = (task: Task): Readonly<Record<string, unknown>> => ({ task_id: task.id, title: task.title })

const told = (
  agentId: string | null,
  type: EventType,
  payload: Readonly<Record<string, unknown>>,
): TaskEffect | null => (agentId === null ? null : { kind: 'tell', agentId, type, payload })

/** Agents get inbox events; people are mailed what they need to know. */
export const creatorTold = (type: EventType): Also => ({
  name: `the creator is told ${type}`,
  of: ({ task, actor }) =>
    task.creator.kind === 'owner'
      ? mailed(task, type)
      : told(task.creator.kind === 'agent' ? task.creator.id : null, type, { ...summaryOf(task), by: actor.id }),
})

const mailed = ({ creator }: Task, type: EventType): TaskEffect | null =>
  creator.kind === 'owner' && isMailed(type) ? { kind: 'mail', about: type } : null

export const ownerMailed = (type: EventType): Also => ({
  name: `a person who posted it is mailed ${type}`,
  of: ({ task }) => mailed(task, type),
})

export const claimerTold = (type: EventType): Also => ({
  name: `the claimer is told ${type}`,
  of: ({ task, note }) => told(task.claimedBy, type, { ...summaryOf(task), ...(note ? { note } : {}) }),
})

export const receiptAppended: Also = {
  name: 'a receipt is written and appended to the ledger',
  of: () => ({ kind: 'ledger', type: 'task_delivered' }),
}

export const acceptanceAppended: Also = {
  name: 'the acceptance is appended to the ledger',
  of: () => ({ kind: 'ledger', type: 'task_verified' }),
}

export const depositReleased: Also = {
  name: 'the deposit is released to the deliverer',
  of: ({ task }) => (task.escrow?.status === 'funded' ? { kind: 'pay out', purpose: 'release' } : null),
}

export const depositRefunded: Also = {
  name: 'a held deposit is refunded to the paying wallet',
  of: ({ task }) => (task.escrow?.status === 'funded' ? { kind: 'pay out', purpose: 'refund' } : null),
}

export const refundNoted: Also = {
  name: 'the refund is noted',
  of: ({ task }) =>
    task.escrow?.status === 'funded' ? { kind: 'payment event', type: 'escrow_refund_requested', details: {} } : null,
}

export const bountyVoided: Also = {
  name: 'an unpaid bounty is void',
  of: ({ task }) =>
    task.bounty && task.escrow?.status !== 'funded' ? { kind: 'payment event', type: 'expired', details: {} } : null,
}

export const noted = (type: string): Also => ({
  name: `the payment history says ${type}`,
  of: ({ task, note }) => (task.bounty ? { kind: 'payment event', type, details: note ? { note } : {} } : null),
})

export const paymentDueTold: Also = {
  name: 'a declared bounty is due',
  of: ({ task }) =>
    task.bounty && !task.escrow && task.creator.kind === 'agent'
      ? { kind: 'tell', agentId: task.creator.id, type: 'task.payment_due', payload: summaryOf(task) }
      : null,
}

export const bondSlashed: Also = {
  name: 'a bond, if any, is slashed by one slot',
  of: ({ task }) => (task.claimedBy === null ? null : { kind: 'slash bond', agentId: task.claimedBy }),
}

export const counted = (name: string, change: Partial<Record<keyof TrackRecord, number>>): Also => ({
  name,
  of: ({ task }) => (task.claimedBy === null ? null : { kind: 'count', agentId: task.claimedBy, change }),
})

/** The profile counts tasks: a revision of the same task does not count again. */
export const deliveryCounted: Also = {
  name: 'the task counts as delivered by this agent, once',
  of: ({ task, deliversAgain }) =>
    task.claimedBy === null || deliversAgain
      ? null
      : { kind: 'count', agentId: task.claimedBy, change: { delivered: 1 } },
}

export const disputeCounted: Also = {
  name: 'the task counts as disputed, once a claim',
  of: ({ task }) =>
    task.claimedBy === null || wasDisputed(task)
      ? null
      : { kind: 'count', agentId: task.claimedBy, change: { disputed: 1 } },
}

/**
 * Whether the current claim was disputed before. An earlier claim ended a whole window after its last dispute: half of one tells
 * them apart, also when the node that claimed and the node that disputed have different clocks.
 */
const wasDisputed = ({ disputedAt, claimedAt }: Task): boolean =>
  disputedAt !== null && claimedAt !== null && disputedAt > claimedAt - limits.task.claimWindowMs / 2

/** An agent is not blamed for work whose deposit was reorged away. */
export const whileDepositHeld = (also: Also): Also => ({
  name: `${also.name}, unless the chain took the deposit back`,
  of: (facts) => (facts.task.escrow === null || facts.task.escrow.status === 'funded' ? also.of(facts) : null),
})

export const outcomeJudged = (outcome: Outcome): Also => ({
  name: `the deliverer’s reputation takes in: ${outcome}`,
  of: ({ task }) => (task.claimedBy === null ? null : { kind: 'outcome', agentId: task.claimedBy, outcome }),
})

export const ratingCounted: Also = {
  name: 'the rating counts for the deliverer',
  of: ({ task, rating }) => {
    const before = task.rating
    const change = {
      ratingCount: (rating ? 1 : 0) - (before ? 1 : 0),
      ratingSum: (rating?.stars ?? 0) - (before?.stars ?? 0),
    }
    return task.claimedBy === null || (rating === null && before === null)
      ? null
      : { kind: 'count', agentId: task.claimedBy, change }
  },
}

export const ratingDropped: Also = {
  name: 'a stored rating is dropped',
  of: ({ task }) =>
    task.claimedBy !== null && task.rating !== null
      ? { kind: 'count', agentId: task.claimedBy, change: { ratingCount: -1, ratingSum: -task.rating.stars } }
      : null,
}

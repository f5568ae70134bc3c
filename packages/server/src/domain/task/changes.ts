import { DAY, limits } from '@guildhall/protocol'
import { refunding, releasing, voided } from '../escrow/changes.ts'
import { paymentOf } from '../escrow/payment-of.ts'
import { paymentAfter } from '../payment/lifecycle.ts'
import type { TaskFacts } from './facts.ts'
import type { Escrow, Task } from './task.ts'

const { claimWindowMs, autoAcceptMs } = limits.task

export const openUntil = (from: number, expiresInDays: number | null): number | null =>
  expiresInDays === null ? null : from + expiresInDays * DAY

export const startClaim = ({ now, actor }: TaskFacts): Partial<Task> => ({
  claimedBy: actor.id,
  claimedAt: now,
  claimExpiresAt: now + claimWindowMs,
  timerHeldUntil: null,
})

/** A reopened task gets a fresh open window of the same length, and is announced again. */
export const dropClaim = ({ task, now }: TaskFacts): Partial<Task> => ({
  claimedBy: null,
  claimedAt: null,
  claimExpiresAt: null,
  firstSubmittedAt: null,
  reviewState: null,
  expiresAt: openUntil(now, task.expiresInDays),
  announced: false,
  timerHeldUntil: null,
})

export const startReview = ({ task, now }: TaskFacts): Partial<Task> => ({
  submittedAt: now,
  firstSubmittedAt: task.firstSubmittedAt ?? now,
  autoReleaseAt: now + autoAcceptMs,
  claimExpiresAt: null,
  reviewState: null,
  receiptsCount: task.receiptsCount + 1,
  publishedAt: null,
})

/** A revision drops a stored rating and gives the deliverer a fresh claim window. */
export const startRevision = ({ task, now, note }: TaskFacts): Partial<Task> => ({
  reviewState: 'revision_requested',
  revisionCount: task.revisionCount + 1,
  revisionRequestedAt: now,
  reviewNote: note,
  rating: null,
  autoReleaseAt: null,
  claimExpiresAt: now + claimWindowMs,
})

export const startDispute = ({ now, note, rating }: TaskFacts): Partial<Task> => ({
  reviewState: 'disputed',
  disputedAt: now,
  reviewNote: note,
  rating,
  autoReleaseAt: null,
})

const inEscrow = (escrow: Escrow): Partial<Task> => ({ escrow, paymentStatus: paymentOf(escrow) })

const paidFromEscrow = (escrow: Escrow | null): Partial<Task> => (escrow === null ? {} : inEscrow(releasing(escrow)))

export const acceptByCreator = ({ task, now, note, rating, wallet, signature }: TaskFacts): Partial<Task> => ({
  acceptedBy: 'creator',
  verifiedAt: now,
  autoReleaseAt: null,
  reviewNote: note ?? task.reviewNote,
  rating,
  payTo: task.bounty === null ? null : (wallet?.address ?? null),
  acceptorSignature: signature,
  ...paidFromEscrow(task.escrow),
})

export const acceptByTimer = ({ task, now, wallet }: TaskFacts): Partial<Task> => ({
  acceptedBy: 'auto',
  verifiedAt: now,
  autoReleaseAt: null,
  rating: null,
  payTo: task.escrow === null ? null : (wallet?.address ?? null),
  ...paidFromEscrow(task.escrow),
})

/** The money of a task that ends unpaid: a held deposit is refunded, everything else is void. */
const unpaidEnd = ({ escrow, bounty, paymentStatus }: Task): Partial<Task> => {
  if (escrow) return inEscrow(escrow.status === 'funded' ? refunding(escrow) : voided(escrow))
  return bounty ? { paymentStatus: paymentAfter(paymentStatus, 'void') } : {}
}

export const cancel = ({ task, now, note }: TaskFacts): Partial<Task> => ({
  cancelledAt: now,
  claimExpiresAt: null,
  autoReleaseAt: null,
  reviewNote: note ?? task.reviewNote,
  ...unpaidEnd(task),
})

export const expire = ({ task, now }: TaskFacts): Partial<Task> => ({ expiredAt: now, ...unpaidEnd(task) })

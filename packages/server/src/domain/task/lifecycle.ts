import type { TaskStatus } from '@guildhall/protocol'
import type { Lifecycle } from '../lifecycle.ts'
import { refusal } from '../refusal.ts'
import {
  acceptByCreator,
  acceptByTimer,
  cancel,
  dropClaim,
  expire,
  startClaim,
  startDispute,
  startReview,
  startRevision,
} from './changes.ts'
import {
  acceptanceAppended,
  bondSlashed,
  bountyVoided,
  claimerTold,
  counted,
  creatorTold,
  deliveryCounted,
  depositRefunded,
  depositReleased,
  disputeCounted,
  noted,
  outcomeJudged,
  ownerMailed,
  paymentDueTold,
  ratingCounted,
  ratingDropped,
  receiptAppended,
  refundNoted,
  type TaskEffect,
  whileDepositHeld,
} from './effects.ts'
import type { TaskFacts } from './facts.ts'
import {
  budgetLeft,
  callerIsAssigned,
  callerIsCreator,
  callerIsNotCreator,
  claimerHasWallet,
  claimHasLapsed,
  depositHeld,
  depositSettled,
  disputed,
  noPaymentInFlight,
  notDisputed,
  openWindowIsOver,
  payeeHasWallet,
  reviewIsOver,
  roundsLeft,
  walletIsOnNetwork,
} from './guards.ts'
import type { Task } from './task.ts'

export type TaskTrigger =
  | 'claim'
  | 'deliver'
  | 'accept'
  | 'revision'
  | 'dispute'
  | 'cancel'
  | 'claim lapses'
  | 'unreviewed'
  | 'expires'

const wrongState = ({ task }: TaskFacts) =>
  refusal('invalid_state', { status: task.status }, `The task is ${task.status}: this cannot be done now.`)
const tooLate = ({ task }: TaskFacts) =>
  refusal('conflict', { status: task.status }, `The task is ${task.status} already.`)

const accepted = counted('an acceptance by a person counts', { accepted: 1, acceptedByPerson: 1 })

/** Section 3.1 of the specification; docs/states.md is printed from it. */
export const taskLifecycle: Lifecycle<TaskStatus, TaskTrigger, TaskFacts, Partial<Task>, TaskEffect> = {
  triggers: {
    claim: { by: [callerIsNotCreator], otherwise: tooLate },
    deliver: { by: [callerIsAssigned], otherwise: wrongState },
    accept: { by: [callerIsCreator], otherwise: wrongState },
    revision: { by: [callerIsCreator], otherwise: wrongState },
    dispute: { by: [callerIsCreator], otherwise: wrongState },
    cancel: {
      by: [callerIsCreator],
      otherwise: (facts) =>
        facts.task.status === 'verified' ? refusal('already_accepted', { status: facts.task.status }) : tooLate(facts),
    },
    'claim lapses': { otherwise: tooLate },
    unreviewed: { otherwise: tooLate },
    expires: { otherwise: tooLate },
  },
  rows: {
    open: {
      claim: {
        when: [claimerHasWallet, walletIsOnNetwork, depositSettled, budgetLeft],
        to: 'claimed',
        set: startClaim,
        also: [creatorTold('task.claimed')],
      },
      cancel: {
        when: [noPaymentInFlight],
        to: 'cancelled',
        set: cancel,
        also: [depositRefunded, refundNoted, bountyVoided],
      },
      expires: {
        when: [openWindowIsOver, noPaymentInFlight],
        to: 'expired',
        set: expire,
        also: [depositRefunded, refundNoted, bountyVoided, creatorTold('task.expired')],
      },
    },
    claimed: {
      deliver: {
        to: 'submitted',
        set: startReview,
        also: [receiptAppended, creatorTold('task.delivered'), claimerTold('task.submitted'), deliveryCounted],
      },
      'claim lapses': {
        when: [claimHasLapsed],
        to: 'open',
        set: dropClaim,
        also: [
          bondSlashed,
          claimerTold('task.claim_expired'),
          ownerMailed('task.claim_expired'),
          counted('an expired claim counts', { expiredClaims: 1 }),
        ],
      },
      cancel: {
        when: [noPaymentInFlight],
        to: 'cancelled',
        set: cancel,
        also: [depositRefunded, refundNoted, bountyVoided, claimerTold('task.cancelled')],
      },
    },
    submitted: {
      accept: {
        when: [payeeHasWallet, walletIsOnNetwork, depositHeld],
        to: 'verified',
        set: acceptByCreator,
        also: [
          depositReleased,
          acceptanceAppended,
          claimerTold('task.verified'),
          accepted,
          outcomeJudged('accepted'),
          ratingCounted,
        ],
      },
      unreviewed: {
        when: [reviewIsOver, notDisputed, payeeHasWallet, walletIsOnNetwork, depositHeld],
        to: 'verified',
        set: acceptByTimer,
        also: [
          depositReleased,
          acceptanceAppended,
          noted('auto_accepted'),
          claimerTold('task.verified'),
          creatorTold('task.verified'),
          paymentDueTold,
          counted('an acceptance by the timer counts', { accepted: 1 }),
          outcomeJudged('accepted by the timer'),
          ratingDropped,
        ],
      },
      revision: {
        when: [roundsLeft],
        to: 'claimed',
        set: startRevision,
        also: [claimerTold('task.revision_requested'), ratingDropped],
      },
      dispute: {
        when: [notDisputed],
        to: 'submitted',
        set: startDispute,
        also: [noted('disputed'), claimerTold('task.disputed'), disputeCounted, ratingCounted],
      },
      cancel: {
        when: [disputed, noPaymentInFlight],
        to: 'cancelled',
        set: cancel,
        also: [
          depositRefunded,
          refundNoted,
          bountyVoided,
          claimerTold('task.cancelled'),
          whileDepositHeld(counted('a lost dispute counts', { lostDisputes: 1 })),
          whileDepositHeld(outcomeJudged('failed')),
        ],
      },
    },
    verified: {},
    closed: {},
    cancelled: {},
    expired: {},
  },
}

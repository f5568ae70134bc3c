import { HOUR, limits, type TestingStatus } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'
import { follow, type Guard, type Lifecycle } from '../lifecycle.ts'
import { refusal } from '../refusal.ts'
import type { TestingRequest } from './request.ts'

export type TestingTrigger =
  | 'confirm'
  | 'approve'
  | 'reject'
  | 'runs are posted'
  | 'all runs have ended'
  | 'no run was accepted'
  | 'nobody confirms'

export type TestingFacts = {
  readonly request: TestingRequest
  readonly now: Instant
  readonly ownerId: string | null
  readonly note: string | null
  readonly acceptedRuns: number
}

const wrongState = ({ request: { status } }: TestingFacts) =>
  refusal('invalid_state', { status }, `The request is ${status}: this cannot be done now.`)

const inTime: Guard<TestingFacts> = {
  name: 'it is confirmed in time',
  holds: ({ request, now }) => request.confirmBy === null || now < request.confirmBy,
  refusal: wrongState,
}
const timeIsOver: Guard<TestingFacts> = {
  name: `${limits.testing.confirmMs / HOUR} hours have passed`,
  holds: ({ request, now }) => request.confirmBy !== null && now >= request.confirmBy,
  refusal: wrongState,
}
const somethingAccepted: Guard<TestingFacts> = {
  name: 'at least one run was accepted',
  holds: ({ acceptedRuns }) => acceptedRuns > 0,
  refusal: wrongState,
}

type Changes = Partial<TestingRequest>
const decided = ({ now, note }: TestingFacts): Changes => ({ decidedAt: now, note, postAt: null, trouble: null })
const ended = ({ now }: TestingFacts): Changes => ({ endedAt: now, postAt: null, trouble: null })

/** How a testing request goes from its intake to its report; docs/states.md is printed from it. */
export const testingLifecycle: Lifecycle<TestingStatus, TestingTrigger, TestingFacts, Changes, never> = {
  triggers: {
    confirm: { otherwise: wrongState },
    approve: { otherwise: wrongState },
    reject: { otherwise: wrongState },
    'runs are posted': { otherwise: wrongState },
    'all runs have ended': { otherwise: wrongState },
    'no run was accepted': { otherwise: wrongState },
    'nobody confirms': { otherwise: wrongState },
  },
  rows: {
    unconfirmed: {
      confirm: {
        when: [inTime],
        to: 'confirmed',
        set: ({ now, ownerId }) => ({ confirmedAt: now, ownerId, confirmBy: null }),
      },
      'nobody confirms': { when: [timeIsOver], to: 'expired', set: (facts) => ({ ...ended(facts), confirmBy: null }) },
    },
    confirmed: {
      approve: { to: 'approved', set: (facts) => ({ ...decided(facts), postAt: facts.now }) },
      reject: { to: 'rejected', set: (facts) => ({ ...decided(facts), ...ended(facts) }) },
    },
    approved: {
      'runs are posted': { to: 'running', set: () => ({ postAt: null, trouble: null }) },
      reject: { to: 'rejected', set: (facts) => ({ ...decided(facts), ...ended(facts) }) },
    },
    running: {
      'runs are posted': { to: 'running', set: () => ({ postAt: null, trouble: null }) },
      'all runs have ended': { when: [somethingAccepted], to: 'reported', set: ended },
      'no run was accepted': { to: 'expired', set: ended },
    },
    reported: {},
    rejected: {},
    expired: {},
  },
}

/** The request after a trigger; throws the refusal where the table does not allow it. */
export function moved(
  request: TestingRequest,
  trigger: TestingTrigger,
  facts: Partial<Omit<TestingFacts, 'request'>> & { readonly now: Instant },
): TestingRequest {
  const followed = follow(testingLifecycle, request.status, trigger, { ...NOTHING_MORE, ...facts, request })
  if (followed.kind === 'refused') throw followed.refusal
  return { ...request, ...followed.changes, status: followed.to }
}

const NOTHING_MORE = { ownerId: null, note: null, acceptedRuns: 0 }

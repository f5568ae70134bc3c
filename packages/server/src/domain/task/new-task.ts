import type { Task } from './task.ts'

/** Nothing has happened to it yet. */
const UNTOUCHED = {
  status: 'open',
  expiredAt: null,
  cancelledAt: null,
  claimedBy: null,
  claimedAt: null,
  claimExpiresAt: null,
  firstSubmittedAt: null,
  submittedAt: null,
  autoReleaseAt: null,
  receiptsCount: 0,
  publishedAt: null,
  reviewState: null,
  reviewNote: null,
  revisionCount: 0,
  revisionRequestedAt: null,
  disputedAt: null,
  acceptedBy: null,
  verifiedAt: null,
  rating: null,
  escrow: null,
  payTo: null,
  paymentId: null,
  paymentTx: null,
  settledAt: null,
  settleError: null,
  announced: false,
  proposerSignature: null,
  acceptorSignature: null,
  timerHeldUntil: null,
} as const satisfies Partial<Task>

type Untouched = keyof typeof UNTOUCHED

/** A task as it is first written down. */
export const newTask = (asked: Omit<Task, Untouched> & Partial<Pick<Task, Untouched>>): Task => ({
  ...UNTOUCHED,
  ...asked,
})

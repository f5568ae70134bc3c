import type { Task } from './task.ts'

/** The fields of a task to which nothing has happened yet. */
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

/** A task as it is first stored. */
export const newTask = (asked: Omit<Task, Untouched> & Partial<Pick<Task, Untouched>>): Task => ({
  ...UNTOUCHED,
  ...asked,
})

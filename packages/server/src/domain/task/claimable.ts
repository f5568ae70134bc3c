import type { TaskStatus } from '@guildhall/protocol'
import type { Task } from './task.ts'

/** Open, and funded if it needs a deposit. */
export const isClaimable = ({ status, escrow }: Task): boolean =>
  status === 'open' && (escrow === null || escrow.status === 'funded')

/**
 * Every matching agent is told once of a task that became claimable or was reopened, even if it is claimed meanwhile; not of a
 * task that ended without work, or whose deposit is missing.
 */
export const isToBeAnnounced = ({ announced, status, escrow }: Task): boolean =>
  !announced &&
  status !== 'cancelled' &&
  status !== 'expired' &&
  (escrow === null || (escrow.status !== 'unfunded' && escrow.status !== 'funding'))

/** Open; or in work, after a reorg removed the deposit for good: there is no other way to get it paid. */
export const isFundable = (status: TaskStatus): boolean => status === 'open' || isInWork(status)

export const isInWork = (status: TaskStatus): boolean => status === 'claimed' || status === 'submitted'

/** A declared bounty whose delivery was accepted but not paid. */
export const isPaymentDue = ({ status, bounty, escrow, paymentStatus }: Task): boolean =>
  status === 'verified' &&
  bounty !== null &&
  escrow === null &&
  (paymentStatus === 'pending' || paymentStatus === 'expired')

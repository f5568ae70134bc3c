import type { Task } from './task.ts'

/** Open, and where a deposit is asked for, funded. */
export const isClaimable = ({ status, escrow }: Task): boolean =>
  status === 'open' && (escrow === null || escrow.status === 'funded')

/** A declared bounty whose delivery was accepted but not paid. */
export const isPaymentDue = ({ status, bounty, escrow, paymentStatus }: Task): boolean =>
  status === 'verified' &&
  bounty !== null &&
  escrow === null &&
  (paymentStatus === 'pending' || paymentStatus === 'expired')

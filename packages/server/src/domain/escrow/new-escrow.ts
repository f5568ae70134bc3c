import type { Escrow } from '../task/task.ts'

/** A deposit on its way: the chain has not shown it yet. */
export const newEscrow = (deposit: Pick<Escrow, 'wallet' | 'payer' | 'depositId'>): Escrow => ({
  status: 'funding',
  ...deposit,
  depositTx: null,
  fundedAt: null,
  exitId: null,
  releaseTx: null,
  releasedAt: null,
  refundTx: null,
  refundedAt: null,
})

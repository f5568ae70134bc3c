import type { Transfer, TransferPurpose } from '../transfer/transfer.ts'
import type { Account, Posting } from './posting.ts'

/** The two accounts of a settled transfer. A bounty signed at acceptance never enters our custody. */
const sides: Readonly<Partial<Record<TransferPurpose, { readonly debit: Account; readonly credit: Account }>>> = {
  deposit: { debit: 'wallet', credit: 'deposits' },
  release: { debit: 'deposits', credit: 'wallet' },
  refund: { debit: 'deposits', credit: 'wallet' },
  bond: { debit: 'wallet', credit: 'bonds' },
  withdrawal: { debit: 'bonds', credit: 'wallet' },
  return: { debit: 'suspense', credit: 'wallet' },
}

type NewPosting = Omit<Posting, 'id' | 'createdAt'>

export function postingOf({ id, purpose, authorization, taskId, agentId, txHash }: Transfer): NewPosting | null {
  const side = sides[purpose]
  if (!side) return null
  return {
    ...side,
    network: authorization.network,
    amount: authorization.value,
    reason: purpose,
    transferId: id,
    taskId,
    agentId,
    txHash,
  }
}

/** The reverse posting, for a transfer that was reorged away. */
export const reversed = (posting: NewPosting): NewPosting => ({
  ...posting,
  debit: posting.credit,
  credit: posting.debit,
  reason: 'undone',
})

import type { Transfer, TransferPurpose } from './transfer.ts'

/** Payouts of a deposit are signed again with the same nonce until they settle; everything else ends with its authorization. */
const isRenewed = (purpose: TransferPurpose): boolean =>
  purpose === 'release' || purpose === 'refund' || purpose === 'return'

/** Whether an unused authorization can never settle: a final block is past its end. */
export const isDead = (
  { purpose, signature, authorization }: Transfer,
  unused: { readonly finalTime: bigint },
): boolean => !isRenewed(purpose) && signature !== null && unused.finalTime >= authorization.validBefore

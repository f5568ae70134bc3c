import type { Authorization } from '@guildhall/server/parts'
import type { Mined } from './simulated-chain.ts'

/** Whether a nonce was spent on the transfer that was signed, and not cancelled or spent on another one. */
export const isExactly = ({ kind, transfer }: Mined, { to, value }: Authorization): boolean =>
  kind === 'authorized' && transfer.to === to && transfer.value === value

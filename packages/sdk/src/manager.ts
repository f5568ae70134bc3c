import type { TextWallet } from './payment/wallet.ts'

/** Who decides on a hired task: whoever holds its manage token, or the wallet that paid for it. */
export type Manager = string | TextWallet

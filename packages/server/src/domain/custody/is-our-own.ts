import type { Hex } from '../transfer/transfer.ts'

/** Money sent to these would be lost, or would look like somebody else's deposit: escrow wallets, tokens, precompiled contracts. */
export const isOurOwn = (address: Hex, known: readonly Hex[]): boolean =>
  BigInt(address) < 65_536n || known.some((one) => one.toLowerCase() === address.toLowerCase())

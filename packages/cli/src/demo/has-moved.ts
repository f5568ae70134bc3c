import { type Address, erc20Abi, type Hash, isAddressEqual, parseEventLogs } from 'viem'
import type { Stage } from './stage.ts'

export type Movement = { readonly from: Address; readonly to: Address; readonly value: bigint }

/** Whether a transaction succeeded and moved exactly this much USDC from one wallet to the other, as the chain tells it. */
export async function hasMoved({ chain, usdc }: Stage, hash: string | null, wanted: Movement): Promise<boolean> {
  if (hash === null) return false
  const { status, logs } = await chain.getTransactionReceipt({ hash: hash as Hash })
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
  return (
    status === 'success' &&
    transfers.some(
      ({ address, args }) =>
        isAddressEqual(address, usdc) &&
        isAddressEqual(args.from, wanted.from) &&
        isAddressEqual(args.to, wanted.to) &&
        args.value === wanted.value,
    )
  )
}

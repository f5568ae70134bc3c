import { numberToHex } from 'viem'

const TIP_WEI = 1_000_000_000n

/**
 * Fills in the fees of a transaction that the node signs. The node would derive them from recent blocks, and a replay would
 * sign a different transaction.
 */
export function withFees(method: string, params: readonly unknown[], baseFee: bigint): readonly unknown[] {
  const [transaction, ...rest] = params
  if (!method.startsWith('eth_sendTransaction') || transaction === null || typeof transaction !== 'object')
    return params
  if ('gasPrice' in transaction || 'maxFeePerGas' in transaction) return params
  const fees = { maxFeePerGas: numberToHex(baseFee * 2n + TIP_WEI), maxPriorityFeePerGas: numberToHex(TIP_WEI) }
  return [{ ...transaction, ...fees }, ...rest]
}

import { finalityOf } from '../../domain/transfer/finality-of.ts'
import type { Authorization } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import { servedNetwork } from './served-network.ts'

/** What a number of confirmations, including the transaction's own block, means on a transfer's network. */
type Depth = {
  /** The transfer counts as settled. */
  readonly settled: boolean
  /** Incoming money may be paid out again. */
  readonly mature: boolean
  /** A reorg is no longer expected. */
  readonly final: boolean
}

export function depthOf({ rules }: World, { network, value }: Authorization, confirmations: number): Depth {
  const served = servedNetwork(rules, network)
  const finality = served ? finalityOf(served, value) : 1
  return {
    settled: confirmations >= (served?.confirmations ?? 1),
    mature: confirmations >= finality,
    final: confirmations >= Math.max(finality, served?.reorgDepth ?? 1),
  }
}

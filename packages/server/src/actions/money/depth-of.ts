import { finalityOf } from '../../domain/transfer/finality-of.ts'
import type { Authorization } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import { servedNetwork } from './served-network.ts'

/** What so many blocks, the transaction's own included, are worth on a transfer's network. */
type Depth = {
  /** The transfer counts. */
  readonly settled: boolean
  /** What came in may leave again. */
  readonly mature: boolean
  /** The chain will not take it back. */
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

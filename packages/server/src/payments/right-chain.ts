import { chainIdOf, type NetworkId } from '@guildhall/protocol'
import { believedFor } from '../believed-for.ts'
import { type Rpc, RpcFailure, readQuantity } from './json-rpc.ts'

/** How long a node's own word on its chain counts. */
const BELIEVED_MS = 1_000

/**
 * Throws unless the node is on the chain of its network. Behind an address that was silent at the start, or that a balancer
 * serves, there may one day be a node of another chain, and nothing that it shows may count.
 */
export function rightChain(
  rpc: Rpc,
  network: string,
  elapsed = () => performance.now(),
): () => boolean | Promise<boolean> {
  const expected = BigInt(chainIdOf(network as NetworkId))
  const ask = async () => {
    const chainId = readQuantity(await rpc('eth_chainId', []), 'eth_chainId')
    if (chainId !== expected) throw new RpcFailure('unanswered', `the node is on chain ${chainId}`)
    return true
  }
  return believedFor(BELIEVED_MS, ask, elapsed)
}

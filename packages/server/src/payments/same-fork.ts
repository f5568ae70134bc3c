import { believedFor } from '../believed-for.ts'
import { type Block, readBlock } from './chain-reads.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'

/** How long an agreement of two nodes counts. */
const BELIEVED_MS = 1_000

/**
 * Throws unless a second node has the newest final block of the first. While they are on different forks, a deposit that one
 * shows may not be on the chain where its payout would leave.
 */
export function sameFork(
  rpc: Rpc,
  second: Rpc,
  finality: number,
  elapsed = () => performance.now(),
): () => boolean | Promise<boolean> {
  const ask = async () => {
    const { number } = await readBlock(rpc, 'latest')
    const deep = number - BigInt(finality) + 1n
    const final = deep < 0n ? 0n : deep
    const [ours, theirs] = await Promise.all([readBlock(rpc, final), readFromSecond(second, final)])
    if (ours.hash !== theirs.hash) throw new RpcFailure('unanswered', 'two nodes show different blocks')
    return true
  }
  return believedFor(BELIEVED_MS, ask, elapsed)
}

async function readFromSecond(rpc: Rpc, number: bigint): Promise<Block> {
  try {
    return await readBlock(rpc, number)
  } catch (error) {
    if (error instanceof RpcFailure) throw new RpcFailure(error.kind, `the second node: ${error.message}`)
    throw error
  }
}

import type { ChainView } from '@guildhall/oracle'
import type { Hex } from '@guildhall/server/parts'
import type { Mined, SimulatedChain } from '../chain/simulated-chain.ts'

/** A chain as the oracle would read it through RPC. */
export function chainView(chain: SimulatedChain, wallet: Hex): ChainView {
  const mined = chain.blocks.flatMap((block) => block.mined)
  return {
    network: chain.network,
    balance: chain.balanceAt(wallet, chain.head().number),
    movements: mined
      .filter(({ kind }) => kind !== 'cancel')
      .map(movementOf)
      .filter(({ from, to }) => from === wallet || to === wallet),
    spendings: mined
      .filter(({ kind }) => kind === 'authorized')
      .map((one) => ({
        authorizer: one.transfer.from,
        nonce: one.transfer.nonce,
        txHash: one.hash,
        blockNumber: BigInt(one.blockNumber),
        movement: movementOf(one),
      })),
  }
}

const movementOf = ({ hash, logIndex, blockNumber, transfer: { from, to, value } }: Mined) => ({
  from,
  to,
  value,
  txHash: hash,
  logIndex,
  blockNumber: BigInt(blockNumber),
})

import { privateKeyToAccount } from 'viem/accounts'
import { balanceOf } from '../chains/balance-of.ts'
import type { Chain } from '../chains/start-chain.ts'

const ATOMIC = 1_000_000_000n

/** Gives the house play money on the first chain if it has none there. */
export async function fundHouse(chains: readonly Chain[], houseKey: `0x${string}`): Promise<void> {
  const [chain] = chains
  if (!chain) return
  const { address } = privateKeyToAccount(houseKey)
  if ((await balanceOf(chain, address)) === 0n) await chain.mint(address, ATOMIC)
}

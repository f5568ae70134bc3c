import { createPublicClient, erc20Abi, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../chains/start-chain.ts'

const ATOMIC = 1_000_000_000n

/** Gives the house play money on the first chain if it has none there. */
export async function fundHouse(chains: readonly Chain[], houseKey: `0x${string}`): Promise<void> {
  const [chain] = chains
  if (!chain) return
  const { address } = privateKeyToAccount(houseKey)
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const held = await client.readContract({
    address: chain.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })
  if (held === 0n) await chain.mint(address, ATOMIC)
}

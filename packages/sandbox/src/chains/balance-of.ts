import { type Address, createPublicClient, erc20Abi, http } from 'viem'
import type { Chain } from './start-chain.ts'

/** The play USDC that an address holds, in atomic units. */
export const balanceOf = ({ rpcUrl, usdc }: Pick<Chain, 'rpcUrl' | 'usdc'>, holder: Address): Promise<bigint> =>
  createPublicClient({ transport: http(rpcUrl) }).readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holder],
  })

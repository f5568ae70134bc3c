import type { Address, Hex } from 'viem'
import { multicall3Address, nativeMirrorAddress, runtimeCode, smartWalletFactoryAddress } from './contracts.ts'

/** A real network that a local chain stands in for: its chain id, its USDC address, and the code in its first block. */
export type NetworkPlan = {
  readonly network: string
  readonly chainId: number
  readonly usdc: Address
  readonly code: Readonly<Record<Address, Hex>>
}

const everywhere = {
  [multicall3Address]: runtimeCode.multicall3,
  [smartWalletFactoryAddress]: runtimeCode.testSmartWalletFactory,
}

/** The networks of the specification, in the order in which they are offered. */
export const networkPlans: readonly NetworkPlan[] = [
  plan(8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', runtimeCode.testUsdc),
  plan(137, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', runtimeCode.testUsdc),
  plan(5042, '0x3600000000000000000000000000000000000000', runtimeCode.testNativeUsdc, {
    [nativeMirrorAddress]: runtimeCode.nativeMirror,
  }),
]

export function networkPlan(network: string): NetworkPlan {
  const found = networkPlans.find((candidate) => candidate.network === network)
  if (!found) throw new Error(`The sandbox has no chain for ${network}.`)
  return found
}

function plan(chainId: number, usdc: Address, token: Hex, more: Record<Address, Hex> = {}): NetworkPlan {
  return { network: `eip155:${chainId}`, chainId, usdc, code: { ...everywhere, ...more, [usdc]: token } }
}

import { tokenDomain } from '@guildhall/protocol'
import { domainSeparator, encodeFunctionData } from 'viem'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { ServedNetwork } from '../ports/rules.ts'
import { hasCode, readWord } from './chain-reads.ts'
import { type Rpc, RpcFailure, readQuantity } from './json-rpc.ts'
import { tokenAbi } from './token-abi.ts'

/** The problems of a network's settings, in words for the operator; empty when there are none. */
export async function checkNetwork(
  rpc: Rpc,
  served: ServedNetwork,
  escrowWallet: Hex | null,
): Promise<readonly string[]> {
  const { network, usdc } = served
  const domain = tokenDomain({ network, asset: usdc, ...served.domain })
  const chainId = readQuantity(await rpc('eth_chainId', []), 'eth_chainId')
  if (chainId !== BigInt(domain.chainId)) return [`${network}: the node is on chain ${chainId}.`]
  if (!(await hasCode(rpc, usdc))) return [`${network}: there is no token at ${usdc}.`]

  const problems: string[] = []
  const decimals = await askToken(rpc, usdc, 'decimals')
  if (decimals !== 6n) problems.push(`${network}: the token at ${usdc} has ${decimals ?? 'no'} decimals, not 6.`)
  if ((await askToken(rpc, usdc, 'DOMAIN_SEPARATOR')) !== BigInt(domainSeparator({ domain }))) {
    problems.push(`${network}: the token's EIP-712 domain is not "${domain.name}", version "${domain.version}".`)
  }
  if (escrowWallet !== null && (await hasCode(rpc, escrowWallet))) {
    problems.push(`${network}: the escrow wallet ${escrowWallet} has code; it must be a plain key.`)
  }
  return problems
}

async function askToken(rpc: Rpc, token: Hex, functionName: 'decimals' | 'DOMAIN_SEPARATOR'): Promise<bigint | null> {
  try {
    return await readWord(rpc, token, encodeFunctionData({ abi: tokenAbi, functionName }), 'latest')
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'reverted') return null
    throw error
  }
}

import { type TransferAuthorization, tokenDomain, typedTransfer } from '@guildhall/protocol'
import { type Chain, usdcDomain } from '@guildhall/sandbox'
import {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type PrivateKeyAccount,
  parseAbi,
} from 'viem'

/** An account with gas whose key every local node knows. */
export const STRANGER: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

const tokenCalls = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
])

/** One JSON-RPC call to a chain's node, past all faults. */
export async function rpc<T = unknown>(chain: Chain, method: string, ...params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(chain.rpcUrl, { method: 'POST', body })
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

const reader = (chain: Chain) => createPublicClient({ transport: http(chain.rpcUrl) })

export const usdcOf = (chain: Chain, address: string): Promise<bigint> =>
  reader(chain).readContract({
    address: chain.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address as Hex],
  })

/** How many authorizations of this payer the chain has carried out. */
export async function timesPaid(chain: Chain, payer: string): Promise<number> {
  const logs = await reader(chain).getContractEvents({
    address: chain.usdc,
    abi: tokenCalls,
    eventName: 'AuthorizationUsed',
    args: { authorizer: payer as Hex },
    fromBlock: 0n,
  })
  return logs.length
}

const send = (chain: Chain, to: Hex, data: Hex): Promise<Hex> =>
  rpc(chain, 'eth_sendTransaction', { from: STRANGER, to, data })

const domainOf = ({ network, usdc }: Chain) => tokenDomain({ network, asset: usdc, ...usdcDomain })

export const signTransfer = (
  chain: Chain,
  payer: PrivateKeyAccount,
  authorization: TransferAuthorization,
): Promise<Hex> => payer.signTypedData(typedTransfer(authorization, domainOf(chain)))

/** Anybody may carry out an authorization: this is somebody. */
export function carryOut(chain: Chain, authorization: TransferAuthorization, signature: Hex): Promise<Hex> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const
  return send(
    chain,
    chain.usdc,
    encodeFunctionData({ abi: tokenCalls, functionName: 'transferWithAuthorization', args }),
  )
}

/** A transfer of the stranger's own, without an authorization. */
export const sendPlainly = (chain: Chain, to: Hex, atomic: bigint): Promise<Hex> =>
  send(chain, chain.usdc, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, atomic] }))

/** Whether the token refuses to move money from and to this address. */
export function setBlocked(chain: Chain, address: Hex, blocked: boolean): Promise<Hex> {
  const functionName = blocked ? 'blacklist' : 'unBlacklist'
  return send(chain, chain.usdc, encodeFunctionData({ abi: tokenCalls, functionName, args: [address] }))
}

/** The payer takes an authorization back before anybody has carried it out. */
export async function cancelAuthorization(chain: Chain, payer: PrivateKeyAccount, nonce: Hex): Promise<Hex> {
  const signature = await payer.signTypedData({
    domain: domainOf(chain),
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.address, nonce },
  })
  const args = [payer.address, nonce, signature] as const
  return send(chain, chain.usdc, encodeFunctionData({ abi: tokenCalls, functionName: 'cancelAuthorization', args }))
}

type Sent = { readonly to: Hex; readonly input: Hex; readonly blockNumber: Hex }

/** A reorg in which somebody else's transaction does what this one did; gives the hash of the other. */
export async function mineElsewhere(chain: Chain, txHash: string): Promise<Hex> {
  const { to, input, blockNumber } = await rpc<Sent>(chain, 'eth_getTransactionByHash', txHash)
  const depth = Number(await rpc<Hex>(chain, 'eth_blockNumber')) - Number(blockNumber) + 1
  await rpc(chain, 'anvil_reorg', depth, [[{ from: STRANGER, to, data: input }, 0]])
  const { transactions } = await rpc<{ transactions: readonly Hex[] }>(
    chain,
    'eth_getBlockByNumber',
    blockNumber,
    false,
  )
  return transactions[0] ?? '0x'
}

export const mine = (chain: Chain, blocks: number): Promise<unknown> => rpc(chain, 'anvil_mine', blocks)

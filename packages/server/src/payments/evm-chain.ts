import { finalityOf } from '../domain/transfer/finality-of.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { Chain } from '../ports/chain.ts'
import type { ServedNetwork } from '../ports/rules.ts'
import type { Unreachable } from '../ports/unreachable.ts'
import { isNonceSpent, readEvidence } from './authorization-evidence.ts'
import { readBalance, readBlock } from './chain-reads.ts'
import { checkNetwork } from './check-network.ts'
import { limitInFlight } from './in-flight-limit.ts'
import { createRpc, type Rpc, RpcFailure } from './json-rpc.ts'
import { rightChain } from './right-chain.ts'
import { sameFork } from './same-fork.ts'
import { signatureChecks } from './signature-checks.ts'
import { unlessUnreachable, unreachable } from './unless-unreachable.ts'
import { blockOfWallet, carriedOut, lookAtWallet } from './wallet-look.ts'

export type EvmChain = Chain & {
  /** For the start: the problems of a network's settings, in words; empty when there are none. */
  checkNetwork(network: string, escrowWallet: Hex | null): Promise<readonly string[] | Unreachable>
}

/** Concurrent calls per node, so that callers do not pile up on one that stopped answering. */
const MAX_CALLS = 128

/** The chains through their JSON-RPC nodes. */
export function createEvmChain(options: {
  readonly networks: readonly (ServedNetwork & {
    readonly rpcUrl: string
    /** A node of somebody else, with which ours has to agree before money leaves. */
    readonly secondRpcUrl?: string | undefined
  })[]
  /** Nodes of networks that are not served, for proofs of smart wallets there. */
  readonly walletRpcUrls?: Readonly<Record<string, string>>
  readonly timeoutMs: number
}): EvmChain {
  const { networks, walletRpcUrls = {}, timeoutMs } = options
  const rpcAt = (url: string) => limited(createRpc({ url, timeoutMs }))
  const nodes = new Map(Object.entries(walletRpcUrls).map(([network, url]) => [network, rpcAt(url)]))
  const served = new Map<string, ServedNetwork>()
  const checks = new Map<string, ReturnType<typeof rightChain>>()
  const forks = new Map<string, ReturnType<typeof sameFork>>()
  for (const { rpcUrl, secondRpcUrl, ...network } of networks) {
    const rpc = createRpc({ url: rpcUrl, timeoutMs })
    nodes.set(network.network, limited(rpc))
    served.set(network.network, network)
    checks.set(network.network, rightChain(rpc, network.network))
    if (secondRpcUrl === undefined) continue
    forks.set(network.network, sameFork(rpc, createRpc({ url: secondRpcUrl, timeoutMs }), network.finality))
  }

  const onServed = <T>(network: string, read: (rpc: Rpc, served: ServedNetwork) => Promise<T>) => {
    const rpc = nodes.get(network)
    const known = served.get(network)
    if (!rpc || !known) return Promise.resolve(unreachable('this network is not served'))
    return unlessUnreachable(() => read(rpc, known))
  }

  const onRightChain = <T>(network: string, read: (rpc: Rpc, served: ServedNetwork) => Promise<T>) =>
    onServed(network, async (rpc, known) => {
      const answer = await read(rpc, known)
      await checks.get(network)?.()
      return answer
    })

  return {
    head: (network) =>
      onRightChain(network, async (rpc) => {
        const { number, time } = await readBlock(rpc, 'latest')
        return { kind: 'head', number, time }
      }),

    isUsed: (authorization) => onRightChain(authorization.network, (rpc) => isNonceSpent(rpc, authorization, 'latest')),

    evidence: (authorization, fromBlock) =>
      onRightChain(authorization.network, (rpc, known) =>
        readEvidence(rpc, authorization, fromBlock, finalityOf(known, authorization.value)),
      ),

    balanceOf: (network, address) =>
      onRightChain(network, async (rpc, { usdc }) => {
        const { number } = await readBlock(rpc, 'latest')
        const atomic = await readBalance(rpc, usdc, address, number)
        await forks.get(network)?.()
        return { kind: 'balance', atomic, block: number }
      }),

    lookAtWallet: (network, wallet, since) =>
      onRightChain(network, (rpc, known) => lookAtWallet(rpc, known, wallet, since)),

    blockOfWallet: (network, wallet, number) =>
      onRightChain(network, (rpc, known) => blockOfWallet(rpc, known, wallet, number)),

    blockHash: (network, number) =>
      onRightChain(network, async (rpc) => ({ kind: 'hash', hash: (await readBlock(rpc, number)).hash })),

    carriedOut: (network, txHash, logIndex) =>
      onRightChain(network, (rpc, { usdc }) => carriedOut(rpc, usdc, txHash, logIndex)),

    ...signatureChecks(nodes, served),

    checkNetwork: (network, escrowWallet) => onServed(network, (rpc, known) => checkNetwork(rpc, known, escrowWallet)),
  }
}

function limited(rpc: Rpc): Rpc {
  const limit = limitInFlight(MAX_CALLS)
  return async (method, params) => {
    const result = await limit(() => rpc(method, params))
    if (result === 'busy') throw new RpcFailure('unanswered', `${method}: too many calls are under way`)
    return result
  }
}

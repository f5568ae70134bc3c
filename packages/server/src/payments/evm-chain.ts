import { believedFor } from '../believed-for.ts'
import { finalityOf } from '../domain/transfer/finality-of.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { Chain } from '../ports/chain.ts'
import type { ServedNetwork } from '../ports/rules.ts'
import type { Unreachable } from '../ports/unreachable.ts'
import { isNonceSpent, readEvidence } from './authorization-evidence.ts'
import { type Block, readBalance, readBlock } from './chain-reads.ts'
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
/** How long the newest block is shared by those who only need a block to begin with. */
const NEWEST_MS = 1_000

type Settings = ServedNetwork & {
  readonly rpcUrl: string
  /** A node of somebody else, with which ours has to agree before money leaves. */
  readonly secondRpcUrl?: string | undefined
}

/** The chains through their JSON-RPC nodes. */
export function createEvmChain(options: {
  readonly networks: readonly Settings[]
  readonly timeoutMs: number
}): EvmChain {
  const places = new Map(options.networks.map((settings) => [settings.network, placeOf(settings, options.timeoutMs)]))

  const onServed = <T>(network: string, read: (place: Place) => Promise<T>) => {
    const place = places.get(network)
    if (!place) return Promise.resolve(unreachable('this network is not served'))
    return unlessUnreachable(() => read(place))
  }

  const onRightChain = <T>(network: string, read: (place: Place) => Promise<T>) =>
    onServed(network, async (place) => {
      const answer = await read(place)
      await place.checkChain()
      return answer
    })

  return {
    head: (network) =>
      onRightChain(network, async ({ newestBlock }) => ({ kind: 'head', number: (await newestBlock()).number })),

    isUsed: (authorization) =>
      onRightChain(authorization.network, ({ rpc }) => isNonceSpent(rpc, authorization, 'latest')),

    evidence: (authorization, fromBlock) =>
      onRightChain(authorization.network, ({ rpc, served }) =>
        readEvidence(rpc, authorization, fromBlock, finalityOf(served, authorization.value)),
      ),

    balanceOf: (network, address) =>
      onRightChain(network, async ({ rpc, served, checkFork }) => {
        const { number } = await readBlock(rpc, 'latest')
        const atomic = await readBalance(rpc, served.usdc, address, number)
        await checkFork?.()
        return { kind: 'balance', atomic, block: number }
      }),

    lookAtWallet: (network, wallet, since) =>
      onRightChain(network, ({ rpc, served }) => lookAtWallet(rpc, served, wallet, since)),

    blockOfWallet: (network, wallet, number) =>
      onRightChain(network, ({ rpc, served }) => blockOfWallet(rpc, served, wallet, number)),

    blockHash: (network, number) =>
      onRightChain(network, async ({ rpc }) => ({ kind: 'hash', hash: (await readBlock(rpc, number)).hash })),

    carriedOut: (network, txHash, logIndex) =>
      onRightChain(network, ({ rpc, served }) => carriedOut(rpc, served.usdc, txHash, logIndex)),

    ...signatureChecks(places),

    checkNetwork: (network, escrowWallet) =>
      onServed(network, ({ rpc, served }) => checkNetwork(rpc, served, escrowWallet)),
  }
}

/** A served network and its node. The checks throw. */
type Place = {
  readonly rpc: Rpc
  readonly served: ServedNetwork
  readonly checkChain: ReturnType<typeof rightChain>
  /** At most NEWEST_MS old. */
  readonly newestBlock: () => Block | Promise<Block>
  /** Null without a second node. */
  readonly checkFork: ReturnType<typeof sameFork> | null
}

function placeOf({ rpcUrl, secondRpcUrl, ...served }: Settings, timeoutMs: number): Place {
  const rpc = createRpc({ url: rpcUrl, timeoutMs })
  const withinLimit = limited(rpc)
  return {
    rpc: withinLimit,
    served,
    checkChain: rightChain(rpc, served.network),
    newestBlock: believedFor(
      NEWEST_MS,
      () => readBlock(withinLimit, 'latest'),
      () => performance.now(),
    ),
    checkFork:
      secondRpcUrl === undefined ? null : sameFork(rpc, createRpc({ url: secondRpcUrl, timeoutMs }), served.finality),
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

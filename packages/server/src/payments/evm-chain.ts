import { tokenDomain, typedTransfer } from '@guildhall/protocol'
import { hashMessage, hashTypedData } from 'viem'
import { finalityOf } from '../domain/transfer/finality-of.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { Chain } from '../ports/chain.ts'
import type { ServedNetwork } from '../ports/rules.ts'
import type { Unreachable } from '../ports/unreachable.ts'
import { isNonceSpent, readEvidence } from './authorization-evidence.ts'
import { readBalance, readBlock } from './chain-reads.ts'
import { checkNetwork } from './check-network.ts'
import { contractSigned } from './contract-signed.ts'
import { limitInFlight } from './in-flight-limit.ts'
import { createRpc, type Rpc, RpcFailure } from './json-rpc.ts'
import { recoverSigner } from './recover-signer.ts'
import { blockOfWallet, carriedOut, lookAtWallet } from './wallet-look.ts'

export type EvmChain = Chain & {
  /** For the start: the problems of a network's settings, in words; empty when there are none. */
  checkNetwork(network: string, escrowWallet: Hex | null): Promise<readonly string[] | Unreachable>
}

/** Concurrent calls per node, so that callers do not pile up on one that stopped answering. */
const MAX_CALLS = 128
/** Contracts that check signatures are untrusted code and may be slow. */
const MAX_SIGNATURE_CHECKS = 8

/** The chains through their JSON-RPC nodes. */
export function createEvmChain(options: {
  readonly networks: readonly (ServedNetwork & { readonly rpcUrl: string })[]
  /** Nodes of networks that are not served, for proofs of smart wallets there. */
  readonly walletRpcUrls?: Readonly<Record<string, string>>
  readonly timeoutMs: number
}): EvmChain {
  const { networks, walletRpcUrls = {}, timeoutMs } = options
  const nodeAt = (url: string) => ({
    rpc: limited(createRpc({ url, timeoutMs })),
    signatureChecks: limitInFlight(MAX_SIGNATURE_CHECKS),
  })
  const nodes = new Map(Object.entries(walletRpcUrls).map(([network, url]) => [network, nodeAt(url)]))
  const served = new Map<string, ServedNetwork>()
  for (const { rpcUrl, ...network } of networks) {
    nodes.set(network.network, nodeAt(rpcUrl))
    served.set(network.network, network)
  }

  const onServed = <T>(network: string, read: (rpc: Rpc, served: ServedNetwork) => Promise<T>) => {
    const node = nodes.get(network)
    const known = served.get(network)
    if (!node || !known) return Promise.resolve(unreachable('this network is not served'))
    return unlessUnreachable(() => read(node.rpc, known))
  }

  const checkSignature = async (network: string, address: Hex, digest: Hex, signature: Hex) => {
    if (recoverSigner(digest, signature) === address.toLowerCase()) return 'plain'
    const node = nodes.get(network)
    if (!node) return 'no'
    const ask = () => unlessUnreachable(() => contractSigned(node.rpc, address, digest, signature))
    const signed = await node.signatureChecks(ask)
    if (signed === 'busy') return unreachable('too many signature checks are under way')
    if (typeof signed !== 'boolean') return signed
    return signed ? 'contract' : 'no'
  }

  return {
    head: (network) =>
      onServed(network, async (rpc) => {
        const { number, time } = await readBlock(rpc, 'latest')
        return { kind: 'head', number, time }
      }),

    isUsed: (authorization) => onServed(authorization.network, (rpc) => isNonceSpent(rpc, authorization, 'latest')),

    evidence: (authorization, fromBlock) =>
      onServed(authorization.network, (rpc, known) =>
        readEvidence(rpc, authorization, fromBlock, finalityOf(known, authorization.value)),
      ),

    balanceOf: (network, address) =>
      onServed(network, async (rpc, { usdc }) => {
        const { number } = await readBlock(rpc, 'latest')
        return { kind: 'balance', atomic: await readBalance(rpc, usdc, address, number), block: number }
      }),

    lookAtWallet: (network, wallet, since) =>
      onServed(network, (rpc, known) => lookAtWallet(rpc, known, wallet, since)),

    blockOfWallet: (network, wallet, number) =>
      onServed(network, (rpc, known) => blockOfWallet(rpc, known, wallet, number)),

    blockHash: (network, number) =>
      onServed(network, async (rpc) => ({ kind: 'hash', hash: (await readBlock(rpc, number)).hash })),

    carriedOut: (network, txHash, logIndex) =>
      onServed(network, (rpc, { usdc }) => carriedOut(rpc, usdc, txHash, logIndex)),

    /** On a network without a node only plain keys can be verified. */
    walletSigned: async (network, address, text, signature) =>
      isOfContract(signature) && !nodes.has(network)
        ? 'unserved'
        : checkSignature(network, address, hashMessage(text), signature),

    async payerSigned(authorization, signature) {
      const { network, asset, from } = authorization
      const known = served.get(network)
      if (known?.usdc.toLowerCase() !== asset.toLowerCase()) return 'no'
      const domain = tokenDomain({ network, asset, ...known.domain })
      return checkSignature(network, from, hashTypedData(typedTransfer(authorization, domain)), signature)
    },

    checkNetwork: (network, escrowWallet) => onServed(network, (rpc, known) => checkNetwork(rpc, known, escrowWallet)),
  }
}

const PLAIN_BYTES = 65

/** Longer than any plain key's signature. A contract's may have that length, too. */
const isOfContract = (signature: Hex): boolean => signature.length > 2 + 2 * PLAIN_BYTES

function limited(rpc: Rpc): Rpc {
  const limit = limitInFlight(MAX_CALLS)
  return async (method, params) => {
    const result = await limit(() => rpc(method, params))
    if (result === 'busy') throw new RpcFailure('unanswered', `${method}: too many calls are under way`)
    return result
  }
}

async function unlessUnreachable<T>(read: () => Promise<T>): Promise<T | Unreachable> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RpcFailure) return unreachable(error.message)
    throw error
  }
}

const unreachable = (cause: string): Unreachable => ({ kind: 'unreachable', cause })

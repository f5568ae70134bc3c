import {
  createWalletClient,
  defineChain,
  HttpRequestError,
  type HttpTransport,
  http,
  InternalRpcError,
  type PrivateKeyAccount,
  publicActions,
  TimeoutError,
} from 'viem'
import { noteNodeFailure } from './settling-call.ts'

/** The gas wallet's connection to one network. */
export type ChainClient = ReturnType<typeof connectChain>

export function connectChain(network: string, rpcUrl: string, account: PrivateKeyAccount) {
  const chain = defineChain({
    id: Number(network.split(':')[1]),
    name: network,
    nativeCurrency: { name: 'Gas', symbol: 'GAS', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = notingFailures(http(rpcUrl, { retryCount: 1, retryDelay: 50, timeout: 5_000 }))
  return createWalletClient({ account, chain, transport, pollingInterval: 50 }).extend(publicActions)
}

/** Failures are noted where they happen, because the layers above turn them into reverts and bad signatures. */
function notingFailures(transport: HttpTransport): HttpTransport {
  return (options) => {
    const connected = transport(options)
    const request: typeof connected.request = async (...call) => {
      try {
        return await connected.request(...call)
      } catch (error) {
        if (isNodeFailure(error)) noteNodeFailure()
        throw error
      }
    }
    return { ...connected, request }
  }
}

function isNodeFailure(error: unknown): boolean {
  return error instanceof HttpRequestError || error instanceof TimeoutError || error instanceof InternalRpcError
}

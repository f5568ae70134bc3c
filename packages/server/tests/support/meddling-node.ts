import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEvmChain, type EvmChain } from '../../src/payments/evm-chain.ts'
import type { PlayChain } from './open-play-chain.ts'

type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string }; readonly status?: number }
  /** Something else than JSON. */
  | { readonly text: string; readonly status: number }

export type Call = {
  readonly method: string
  readonly params: readonly unknown[]
  /** Counts the calls from 1, except those that only ask for the chain. */
  readonly place: number
  /** The honest node's answer. */
  forward(): Promise<Answer>
}

/** The chain as seen through a node that changes some of its answers. */
export async function seenThrough<T>(
  play: Pick<PlayChain, 'call' | 'served'>,
  answer: (call: Call) => Answer | Promise<Answer>,
  look: (evm: EvmChain) => Promise<T>,
): Promise<T> {
  let place = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { id, method, params } = JSON.parse(body)
    if (method !== 'eth_chainId') place++
    const forward = async () => ({ result: await play.call(method, ...params) })
    const said = await answer({ method, params, place, forward })
    if ('status' in said && said.status !== undefined) response.statusCode = said.status
    response.end('text' in said ? said.text : JSON.stringify({ jsonrpc: '2.0', id, ...said }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await look(createEvmChain({ networks: [{ ...play.served, rpcUrl }], timeoutMs: 5_000 }))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

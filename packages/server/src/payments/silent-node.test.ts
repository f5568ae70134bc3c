import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { ServedNetwork } from '../ports/rules.ts'
import { createEvmChain } from './evm-chain.ts'

const served = (network: string, rpcUrl: string): ServedNetwork & { readonly rpcUrl: string } => ({
  network,
  usdc: '0x0000000000000000000000000000000000000001',
  domain: { name: 'USDC', version: '2' },
  confirmations: 1,
  finality: 1,
  rpcUrl,
})

test('a node that does not answer collects 128 calls and no more, and none of another network', async () => {
  const silent = createServer(() => {})
  const other = createServer((_, response) => {
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: null }))
  })
  const urlOf = async (server: typeof silent) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const networks = [served('eip155:1', await urlOf(silent)), served('eip155:2', await urlOf(other))]
  const chain = createEvmChain({ networks, timeoutMs: 2_000 })
  const hanging = Array.from({ length: 128 }, () => chain.head('eip155:1'))
  expect(await chain.head('eip155:1')).toEqual({
    kind: 'unreachable',
    cause: 'eth_getBlockByNumber: too many calls are under way',
  })
  expect(await chain.head('eip155:2')).toEqual({
    kind: 'unreachable',
    cause: 'block: the node gave a strange answer',
  })
  silent.closeAllConnections()
  for (const answer of await Promise.all(hanging)) expect(answer).toMatchObject({ kind: 'unreachable' })
  silent.close()
  other.close()
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
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
  const ask = (network: string) => chain.balanceOf(network, '0x00000000000000000000000000000000000e5c40')
  const hanging = Array.from({ length: 128 }, () => ask('eip155:1'))
  expect(await ask('eip155:1')).toEqual({
    kind: 'unreachable',
    cause: 'eth_getBlockByNumber: too many calls are under way',
  })
  expect(await ask('eip155:2')).toEqual({
    kind: 'unreachable',
    cause: 'block: the node gave a strange answer',
  })
  silent.closeAllConnections()
  for (const answer of await Promise.all(hanging)) expect(answer).toMatchObject({ kind: 'unreachable' })
  silent.close()
  other.close()
})

test('those who only need a block to begin with share one call to the node', async () => {
  const asked: string[] = []
  const block = { number: '0x7', hash: `0x${'1'.repeat(64)}`, timestamp: '0x1' }
  const node = createServer(async (request, response) => {
    const { method } = (await json(request)) as { readonly method: string }
    asked.push(method)
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: method === 'eth_chainId' ? '0x1' : block }))
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const chain = createEvmChain({ networks: [served('eip155:1', url)], timeoutMs: 2_000 })
  const heads = await Promise.all([1, 2, 3].map(() => chain.head('eip155:1')))
  expect(heads).toEqual([1, 2, 3].map(() => ({ kind: 'head', number: 7n })))
  expect(asked.sort()).toEqual(['eth_chainId', 'eth_getBlockByNumber'])
  node.closeAllConnections()
  node.close()
})

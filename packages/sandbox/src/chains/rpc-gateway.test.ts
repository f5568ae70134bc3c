import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, call, openBench } from './test-bench.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench('eip155:137')
})
afterAll(() => bench.close())

async function post(body: string): Promise<{ answer: unknown; response: Response }> {
  const response = await fetch(bench.chain().rpcUrl, { method: 'POST', body })
  return { answer: await response.json(), response }
}

test('a batch is answered in order, reads and changes together', async () => {
  const calls = ['eth_blockNumber', 'evm_mine', 'eth_blockNumber', 'eth_chainId', 'eth_nothing']
  const { answer } = await post(JSON.stringify(calls.map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] }))))
  expect(answer).toMatchObject([
    { id: 0, result: '0x0' },
    { id: 1, result: '0x0' },
    { id: 2, result: '0x1' },
    { id: 3, result: '0x89' },
    { id: 4, error: { code: -32601 } },
  ])
})

test('what is no JSON-RPC is refused without harm', async () => {
  expect((await post('{')).answer).toMatchObject({ error: { code: -32700 } })
  expect((await post('{"id":1}')).answer).toMatchObject({ error: { code: -32600 } })
  expect((await post('{"id":1,"method":"anvil_constructor"}')).answer).toHaveProperty('error')
  expect((await fetch(bench.chain().rpcUrl)).status).toBe(405)
})

test('a wallet in a browser may ask from any page', async () => {
  const asked = await fetch(bench.chain().rpcUrl, {
    method: 'OPTIONS',
    headers: { origin: 'http://example.test', 'access-control-request-headers': 'content-type' },
  })
  expect(asked.status).toBe(204)
  expect(asked.headers.get('access-control-allow-origin')).toBe('*')
  expect(asked.headers.get('access-control-allow-headers')).toBe('content-type')
  const { response } = await post('{"id":1,"jsonrpc":"2.0","method":"eth_chainId","params":[]}')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})

test('a lost connection hits that many calls of the service, and of nobody else', async () => {
  const { rpcUrl, serviceRpcUrl, failWith, fault } = bench.chain()
  expect(await call(serviceRpcUrl, 'eth_chainId')).toBe('0x89')
  failWith('down', 2)
  expect(await codeOf(serviceRpcUrl)).toBe('ECONNRESET')
  expect(await call(rpcUrl, 'eth_chainId')).toBe('0x89')
  expect(fault()).toBe('down')
  expect(await codeOf(serviceRpcUrl)).toBe('ECONNRESET')
  expect(fault()).toBe('ok')
  expect(await call(serviceRpcUrl, 'eth_chainId')).toBe('0x89')
  failWith('down')
  for (let times = 0; times < 5; times++) expect(await codeOf(serviceRpcUrl)).toBe('ECONNRESET')
  failWith('ok')
  expect(await call(serviceRpcUrl, 'eth_chainId')).toBe('0x89')
})

test('methods that would make it another chain are not offered', async () => {
  await expect(bench.rpc('anvil_reset')).rejects.toThrow('do not offer anvil_reset')
  await expect(bench.rpc('anvil_setChainId', 1)).rejects.toThrow('do not offer')
})

function codeOf(url: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    request(url, { method: 'POST' }, (response) => resolve(String(response.statusCode)))
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .end('{}')
  })
}

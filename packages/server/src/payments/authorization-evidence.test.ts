import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tokenDomain } from '@guildhall/protocol'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Hex } from '../domain/transfer/transfer.ts'
import { createEvmChain } from './evm-chain.ts'
import {
  openPlayChain,
  type PlayChain,
  type SignedTransfer,
  tokenCalls,
  transferCall,
} from './testing/open-play-chain.ts'

const MULTICALL3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'
const multicallAbi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable',
])
const stranger: Hex = '0x0000000000000000000000000000000000005743'

let play: PlayChain
const open: Server[] = []

beforeAll(async () => {
  play = await openPlayChain('eip155:8453')
})
afterEach(() => {
  play.sandbox.failWith('ok')
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
afterAll(() => play.close())

const evidence = ({ authorization }: SignedTransfer, fromBlock = 0n) => play.evm.evidence(authorization, fromBlock)
const headNumber = async () => BigInt((await play.call('eth_blockNumber')) as string)
const timeOf = async (block: bigint) => {
  const found = await play.call('eth_getBlockByNumber', `0x${block.toString(16)}`, false)
  return BigInt((found as { timestamp: string }).timestamp)
}

async function cancelCall({ authorization, payer }: SignedTransfer): Promise<Hex> {
  const { from, nonce } = authorization
  const { network, usdc, domain } = play.served
  const signature = await payer.signTypedData({
    domain: tokenDomain({ network, asset: usdc, ...domain }),
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: from, nonce },
  })
  return encodeFunctionData({ abi: tokenCalls, functionName: 'cancelAuthorization', args: [from, nonce, signature] })
}

const inOneTransaction = (callsOfToken: readonly Hex[]) => {
  const calls = callsOfToken.map((callData) => ({ target: play.served.usdc, allowFailure: false, callData }))
  return play.send(MULTICALL3, encodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3', args: [calls] }))
}

describe('of an authorization the chain shows', () => {
  test('that it is unused, and the time of the newest final block', async () => {
    const transfer = await play.authorize()
    await play.call('evm_mine', { timestamp: Number(await timeOf(await headNumber())) + 3 })
    const head = await headNumber()
    expect(await evidence(transfer)).toEqual({ kind: 'unused', finalTime: await timeOf(head) })
    expect(await play.evm.isUsed(transfer.authorization)).toBe(false)

    await play.call('evm_mine', { timestamp: Number(await timeOf(head)) + 5 })
    await play.call('evm_mine', { timestamp: Number(await timeOf(head)) + 9 })
    const deep = createEvmChain({ networks: [{ ...play.served, finality: 3 }], timeoutMs: 5_000 })
    expect(await deep.evidence(transfer.authorization, 0n)).toEqual({ kind: 'unused', finalTime: await timeOf(head) })
    const deeper = createEvmChain({ networks: [{ ...play.served, finality: 10_000 }], timeoutMs: 5_000 })
    expect(await deeper.evidence(transfer.authorization, 0n)).toEqual({ kind: 'unused', finalTime: 0n })
  })

  test('that it settled, in which transaction and how deep', async () => {
    const transfer = await play.authorize()
    const txHash = await play.settle(transfer)
    const blockNumber = await headNumber()
    expect(await evidence(transfer, blockNumber)).toEqual({ kind: 'settled', txHash, blockNumber, confirmations: 1 })
    await play.call('anvil_mine', 3)
    expect(await evidence(transfer)).toEqual({ kind: 'settled', txHash, blockNumber, confirmations: 4 })
    expect(await play.evm.isUsed(transfer.authorization)).toBe(true)
  })

  test('that it settled even when we began to look a little too late', async () => {
    const transfer = await play.authorize()
    const txHash = await play.settle(transfer)
    await play.call('anvil_mine', 5)
    expect(await evidence(transfer, await headNumber())).toMatchObject({ kind: 'settled', txHash })
  })

  test('that it was cancelled', async () => {
    const transfer = await play.authorize()
    const txHash = await play.send(play.served.usdc, await cancelCall(transfer))
    expect(await evidence(transfer)).toEqual({ kind: 'spent_otherwise', txHash, confirmations: 1 })
  })

  test('that it was cancelled, whatever else its payer paid in the same transaction', async () => {
    const transfer = await play.authorize()
    const { from, to, value } = transfer.authorization
    await play.sandbox.fundGas(from, 10n ** 18n)
    await play.call('anvil_impersonateAccount', from)
    const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [MULTICALL3, value] })
    await play.call('eth_sendTransaction', { from, to: play.served.usdc, data: approval })
    const payment = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from, to, value] })
    const txHash = await inOneTransaction([await cancelCall(transfer), payment])
    expect(await evidence(transfer)).toEqual({ kind: 'spent_otherwise', txHash, confirmations: 1 })
  })

  test.each([
    ['another recipient', { to: stranger }],
    ['another amount', { value: 1n }],
  ])('that its nonce was spent on a transfer with %s', async (_, over) => {
    const transfer = await play.authorize()
    const { nonce } = transfer.authorization
    const txHash = await play.settle(await play.authorize({ nonce, ...over }, transfer.payer))
    expect(await evidence(transfer)).toEqual({ kind: 'spent_otherwise', txHash, confirmations: 1 })
  })

  test('each of several authorizations in one transaction for itself', async () => {
    const promised = await play.authorize()
    const { payer } = promised
    const spentElsewhere = await play.authorize({ nonce: promised.authorization.nonce, to: stranger, value: 1n }, payer)
    const sameAmount = await play.authorize({}, payer)
    const another = await play.authorize({ value: 2n })
    const txHash = await inOneTransaction([another, spentElsewhere, sameAmount].map(transferCall))
    expect(await evidence(promised)).toMatchObject({ kind: 'spent_otherwise', txHash })
    for (const settled of [sameAmount, another, spentElsewhere]) {
      expect(await evidence(settled)).toMatchObject({ kind: 'settled', txHash })
    }
  })

  test('that it is unused again after a reorganisation, and settled once it is mined anew', async () => {
    const transfer = await play.authorize()
    await play.call('anvil_mine', 1)
    await play.settle(transfer)
    expect((await evidence(transfer)).kind).toBe('settled')
    await play.call('anvil_reorg', 1, [])
    expect((await evidence(transfer)).kind).toBe('unused')
    expect(await play.evm.isUsed(transfer.authorization)).toBe(false)
    const txHash = await play.settle(transfer)
    expect(await evidence(transfer)).toMatchObject({ kind: 'settled', txHash })
  })

  test('nothing while the node cannot be reached', async () => {
    const transfer = await play.authorize()
    await play.settle(transfer)
    const { network, usdc } = play.served
    play.sandbox.failWith('down')
    const answers = [
      play.evm.evidence(transfer.authorization, 0n),
      play.evm.isUsed(transfer.authorization),
      play.evm.head(network),
      play.evm.balanceOf(network, usdc),
      play.evm.checkNetwork(network, null),
    ]
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ kind: 'unreachable' })
    play.sandbox.failWith('ok')
    expect((await evidence(transfer)).kind).toBe('settled')
  })

  test('nothing when the node fails in the middle of the answer', async () => {
    const transfer = await play.authorize()
    await play.settle(transfer)
    for (const calls of [1, 2, 3, 4]) {
      const failing = await behind((method, forward, seen) =>
        seen >= calls ? { error: { code: -32603, message: method } } : forward(),
      )
      expect((await failing.evidence(transfer.authorization, 0n)).kind).toBe('unreachable')
    }
  })

  test('nothing of a network that is not served', async () => {
    const transfer = await play.authorize({ network: 'eip155:1' })
    expect((await evidence(transfer)).kind).toBe('unreachable')
  })
})

describe('a node', () => {
  test('that forgets logs proves nothing', async () => {
    const transfer = await play.authorize()
    await play.settle(transfer)
    const forgetful = await behind((method, forward) => (method === 'eth_getLogs' ? { result: [] } : forward()))
    const unreachable = { kind: 'unreachable', cause: 'log not found' }
    expect(await forgetful.evidence(transfer.authorization, 0n)).toEqual(unreachable)
  })

  test('that gives another log than asked for proves nothing', async () => {
    const transfer = await play.authorize()
    await play.settle(transfer)
    const other = await play.authorize()
    await play.settle(other)
    const careless = await behind(async (method, forward, _, params) => {
      if (method !== 'eth_getLogs') return forward()
      const [{ topics, ...filter }] = params as [{ topics: unknown[] }]
      const result = (await play.call('eth_getLogs', { ...filter, topics: topics.slice(0, 1) })) as unknown[]
      return { result: result.slice(-1) }
    })
    expect((await careless.evidence(transfer.authorization, 0n)).kind).toBe('unreachable')
    expect((await careless.evidence(other.authorization, 0n)).kind).toBe('settled')
  })

  test('that is behind the one that told the head proves nothing', async () => {
    const transfer = await play.authorize()
    const lagging = await behind((method, forward) =>
      method === 'eth_call' ? { error: { code: -32000, message: 'header not found' } } : forward(),
    )
    expect((await lagging.evidence(transfer.authorization, 0n)).kind).toBe('unreachable')
  })

  test('that takes few blocks at a time is asked in small pieces', async () => {
    const from = await headNumber()
    await play.call('anvil_mine', 60)
    const transfer = await play.authorize()
    const txHash = await play.settle(transfer)
    const spans: number[] = []
    const narrow = await behind((method, forward, _, params) => {
      if (method !== 'eth_getLogs') return forward()
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
      const span = Number(toBlock) - Number(fromBlock) + 1
      if (span > 40) return { error: { code: -32005, message: 'block range is too wide' } }
      spans.push(span)
      return forward()
    })
    expect(await narrow.evidence(transfer.authorization, from)).toMatchObject({ kind: 'settled', txHash })
    expect(spans.length).toBeGreaterThan(1)
  })

  test('tells its head and the balances of its newest block', async () => {
    const { payer } = await play.authorize()
    const head = await play.evm.head(play.served.network)
    const number = await headNumber()
    expect(head).toEqual({ kind: 'head', number, time: await timeOf(number) })
    const balance = await play.evm.balanceOf(play.served.network, payer.address)
    expect(balance).toEqual({ kind: 'balance', atomic: 10_000_000n, block: number })
  })
})

test('on network 5042 a transfer that is logged twice counts once, by the token’s own log', async () => {
  const third = await openPlayChain('eip155:5042')
  try {
    const transfer = await third.authorize()
    const txHash = await third.settle(transfer)
    const receipt = (await third.call('eth_getTransactionReceipt', txHash)) as { logs: { address: string }[] }
    expect(new Set(receipt.logs.map(({ address }) => address)).size).toBe(2)
    expect(await third.evm.evidence(transfer.authorization, 0n)).toMatchObject({ kind: 'settled', txHash })

    const promised = await third.authorize()
    const mirrored = { value: promised.authorization.value * 10n ** 12n }
    expect((await third.evm.evidence({ ...transfer.authorization, ...mirrored }, 0n)).kind).toBe('spent_otherwise')
  } finally {
    await third.close()
  }
})

type Answer = { result: unknown } | { error: { code: number; message: string } }
type Interfere = (
  method: string,
  forward: () => Promise<Answer>,
  seen: number,
  params: readonly unknown[],
) => Answer | Promise<Answer>

/** The chain as seen through a node that interferes with some of its answers. */
async function behind(interfere: Interfere) {
  let seen = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { id, method, params } = JSON.parse(body)
    const forward = async () => ({ result: await play.call(method, ...params) })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(await interfere(method, forward, ++seen, params)) }))
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createEvmChain({ networks: [{ ...play.served, rpcUrl }], timeoutMs: 5_000 })
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, seenThrough } from '../../tests/support/meddling-node.ts'
import { openPlayChain, type PlayChain, type SignedTransfer } from '../../tests/support/open-play-chain.ts'
import { findLog } from './token-logs.ts'

let play: PlayChain

beforeAll(async () => {
  play = await openPlayChain('eip155:8453')
})
afterAll(() => play.close())

type Answering = Parameters<typeof seenThrough>[1]

const evidence = ({ authorization }: SignedTransfer, answer: Answering, fromBlock = 0n) =>
  seenThrough(play, answer, (evm) => evm.evidence(authorization, fromBlock))

async function settled(): Promise<SignedTransfer & { txHash: string }> {
  const transfer = await play.authorize()
  return { ...transfer, txHash: await play.settle(transfer) }
}

describe('a node', () => {
  test('that is honest proves a settlement', async () => {
    expect((await evidence(await settled(), (call) => call.forward())).kind).toBe('settled')
  })

  test('that forgets logs proves nothing', async () => {
    const forgetful = (call: Call) => (call.method === 'eth_getLogs' ? { result: [] } : call.forward())
    expect(await evidence(await settled(), forgetful)).toEqual({ kind: 'unreachable', cause: 'log not found' })
  })

  test('that gives another log than asked for proves nothing', async () => {
    const transfer = await settled()
    const newest = await settled()
    const careless = async ({ method, params, forward }: Call) => {
      if (method !== 'eth_getLogs') return forward()
      const [{ topics, ...filter }] = params as [{ topics: unknown[] }]
      const result = (await play.call('eth_getLogs', { ...filter, topics: topics.slice(0, 1) })) as unknown[]
      return { result: result.slice(-1) }
    }
    expect((await evidence(transfer, careless)).kind).toBe('unreachable')
    expect((await evidence(newest, careless)).kind).toBe('settled')
  })

  test('that shows the transaction in another block than its log proves nothing', async () => {
    const moved = async ({ method, forward }: Call) => {
      const answer = await forward()
      if (method !== 'eth_getLogs' || !('result' in answer)) return answer
      const [log] = answer.result as object[]
      return { result: [{ ...log, blockHash: `0x${'11'.repeat(32)}` }] }
    }
    expect((await evidence(await settled(), moved)).kind).toBe('unreachable')
  })

  test('that is behind the one that told the head proves nothing', async () => {
    const error = { code: -32000, message: 'header not found' }
    const lagging = ({ method, forward }: Call) => (method === 'eth_call' ? { error } : forward())
    expect((await evidence(await play.authorize(), lagging)).kind).toBe('unreachable')
  })

  test('that fails in the middle proves nothing', async () => {
    const transfer = await settled()
    for (const last of [0, 1, 2, 3]) {
      const error = { code: -32603, message: 'internal error' }
      const failing = ({ place, forward }: Call) => (place > last ? { error } : forward())
      expect((await evidence(transfer, failing)).kind).toBe('unreachable')
    }
  })

  test('that talks nonsense proves nothing', async () => {
    const transfer = await settled()
    for (const result of [null, 'soon', 7, {}, [null], [{}], '0xzz', true]) {
      for (const spoilt of [1, 2, 3, 4]) {
        const babbling = ({ place, forward }: Call) => (place === spoilt ? { result } : forward())
        expect((await evidence(transfer, babbling)).kind).toBe('unreachable')
      }
    }
  })

  test('that has come to be of another chain proves nothing', async () => {
    const elsewhere = ({ method, forward }: Call) => (method === 'eth_chainId' ? { result: '0x89' } : forward())
    const proof = { kind: 'unreachable', cause: 'the node is on chain 137' }
    expect(await evidence(await settled(), elsewhere)).toEqual(proof)
    expect(await evidence(await play.authorize(), elsewhere)).toEqual(proof)
  })

  const tooWide = (status: number) => ({ status, error: { code: -32005, message: 'block range is too wide' } })

  test.each([
    ['with HTTP 200', tooWide(200)],
    ['with HTTP 400', tooWide(400)],
    ['with HTTP 413', tooWide(413)],
    ['with HTTP 500', tooWide(500)],
    ['with HTTP 413 of a proxy', { status: 413, text: '<h1>Content too large</h1>' }],
    ['with an answer that is too large', { status: 200, text: ' '.repeat(17 * 1024 * 1024) }],
  ])('that takes few blocks at a time, and says so %s, is asked in small pieces', async (_, refusal) => {
    await play.call('anvil_mine', 60)
    const transfer = await settled()
    const spans: number[] = []
    const narrow = ({ method, params, forward }: Call) => {
      if (method !== 'eth_getLogs') return forward()
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
      const span = Number(toBlock) - Number(fromBlock) + 1
      if (span > 40) return refusal
      spans.push(span)
      return forward()
    }
    expect(await evidence(transfer, narrow)).toMatchObject({ kind: 'settled', txHash: transfer.txHash })
    expect(spans.length).toBeGreaterThan(1)
  })
})

describe('a settlement is found with a few calls, however many blocks there are,', () => {
  const LENGTH = 4_000_000n
  const asset = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'

  /** How often a node is asked, on a chain of this length, for the only log, which is in this block. */
  async function callsFor(block: bigint): Promise<number> {
    const spans: [bigint, bigint][] = []
    const rpc = async (_method: string, [filter]: readonly unknown[]) => {
      const { fromBlock, toBlock } = filter as { readonly fromBlock: string; readonly toBlock: string }
      spans.push([BigInt(fromBlock), BigInt(toBlock)])
      const place = {
        transactionHash: '0x7',
        blockHash: '0x8',
        blockNumber: `0x${block.toString(16)}`,
        logIndex: '0x0',
      }
      return BigInt(fromBlock) <= block && block <= BigInt(toBlock)
        ? [{ ...place, address: asset, topics: [], data: '0x' }]
        : []
    }
    const log = await findLog(rpc, { address: asset, topics: [] }, { from: 0n, to: LENGTH })
    expect(log?.blockNumber).toBe(block)
    return spans.length
  }

  test('right after its transfer was recorded, or just now', async () => {
    expect(await callsFor(0n)).toBe(1)
    expect(await callsFor(LENGTH)).toBe(2)
  })

  test('and is not missed in between', async () => {
    for (const block of [8_999n, 9_000n, LENGTH - 9_000n, LENGTH - 8_999n, LENGTH / 2n])
      expect(await callsFor(block)).toBeGreaterThan(0)
  })
})

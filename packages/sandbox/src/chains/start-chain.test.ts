import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { networkPlans } from './networks.ts'
import { startChain } from './start-chain.ts'
import { BENCH_START_SECONDS, type Bench, call, openBench, richAccount, transfersFrom } from './test-bench.ts'

const somebody = '0x00000000000000000000000000000000000000bb'

test('three chains start side by side, each under the chain id and USDC address of its network', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'guildhall-chains-'))
  const chains = await Promise.all(
    networkPlans.map(({ network }) => startChain({ network, dataDir, clock: Date.now, log: () => {} })),
  )
  try {
    const ids = await Promise.all(chains.map((chain) => call(chain.rpcUrl, 'eth_chainId')))
    expect(ids.map(Number)).toEqual([8453, 137, 5042])
    for (const chain of chains) {
      const { txHash } = await chain.mint(somebody, 7n)
      const receipt = await call(chain.rpcUrl, 'eth_getTransactionReceipt', [txHash])
      expect(receipt).toMatchObject({ status: '0x1', to: chain.usdc.toLowerCase() })
    }
  } finally {
    await Promise.all(chains.map((chain) => chain.stop()))
    await rm(dataDir, { recursive: true })
  }
  expect(chains.map((chain) => chain.pid())).toEqual([null, null, null])
})

test('a network without a chain is refused by name', async () => {
  const options = { network: 'eip155:1', dataDir: tmpdir(), clock: Date.now, log: () => {} }
  await expect(startChain(options)).rejects.toThrow('eip155:1')
})

describe("the chain's time", () => {
  let bench: Bench
  beforeEach(async () => {
    bench = await openBench()
  })
  afterEach(() => bench.close())

  test('is the clock, however many transactions come in a second', async () => {
    for (let times = 0; times < 20; times++) await bench.chain().mint(somebody, 1n)
    expect(await bench.head()).toMatchObject({ number: 20, time: BENCH_START_SECONDS })
    bench.advance(5)
    await bench.chain().mint(somebody, 1n)
    expect(await bench.head()).toMatchObject({ number: 21, time: BENCH_START_SECONDS + 5 })
  })

  test('never goes back with the clock', async () => {
    bench.advance(-100)
    await bench.chain().mint(somebody, 1n)
    expect((await bench.head()).time).toBe(BENCH_START_SECONDS)
  })

  test('follows a clock that was moved by days, up to the finalized block', async () => {
    bench.advance(8 * 86_400)
    await bench.chain().followClock()
    const finalized = (await bench.rpc('eth_getBlockByNumber', 'finalized', false)) as { timestamp: Hex }
    expect(Number(finalized.timestamp)).toBe(bench.now())
    const { number } = await bench.head()
    await bench.chain().followClock()
    expect((await bench.head()).number).toBe(number)
  })

  test('keeps up when it is read, not before ten seconds have passed', async () => {
    bench.advance(10)
    expect(await bench.head()).toMatchObject({ number: 0, time: BENCH_START_SECONDS })
    bench.advance(1)
    await call(bench.chain().serviceRpcUrl, 'eth_blockNumber')
    expect(await bench.head()).toMatchObject({ number: 1, time: BENCH_START_SECONDS + 11 })
    bench.advance(11)
    await Promise.all(Array.from({ length: 10 }, () => bench.rpc('eth_blockNumber')))
    expect((await bench.head()).number).toBe(2)
  })

  test('stands still while mining is held back, and what waits is mined when it goes on', async () => {
    await bench.rpc('evm_setAutomine', false)
    expect(await bench.rpc('anvil_getAutomine')).toBe(false)
    const { txHash } = await bench.chain().mint(somebody, 1n)
    bench.advance(1_980)
    await bench.chain().followClock()
    expect(await bench.head()).toMatchObject({ number: 0, time: BENCH_START_SECONDS })
    expect(await bench.rpc('eth_getTransactionReceipt', txHash)).toBeNull()
    await bench.rpc('evm_setAutomine', true)
    expect(await bench.head()).toMatchObject({ number: 1, time: bench.now() })
    expect(await bench.rpc('eth_getTransactionReceipt', txHash)).toMatchObject({ status: '0x1' })
  })

  test('can be set by a test', async () => {
    await bench.rpc('evm_setNextBlockTimestamp', BENCH_START_SECONDS + 50)
    await bench.rpc('evm_mine')
    expect((await bench.head()).time).toBe(BENCH_START_SECONDS + 50)
    await bench.rpc('evm_mine', { timestamp: BENCH_START_SECONDS + 60 })
    await bench.rpc('anvil_mine', '0x3', '0x5')
    expect(await bench.head()).toMatchObject({ number: 5, time: BENCH_START_SECONDS + 70 })
    await bench.rpc('evm_increaseTime', 120)
    await bench.rpc('evm_mine')
    expect((await bench.head()).time).toBe(BENCH_START_SECONDS + 120)
    await bench.rpc('anvil_setBlockTimestampInterval', 2)
    await bench.rpc('anvil_mine', 2)
    expect((await bench.head()).time).toBe(BENCH_START_SECONDS + 124)
    const tooEarly = bench.rpc('evm_mine', { timestamp: BENCH_START_SECONDS })
    await expect(tooEarly).rejects.toThrow('lower than previous')
    await expect(bench.rpc('anvil_mine', 10_001)).rejects.toThrow('no whole number')
    await expect(bench.rpc('evm_setNextBlockTimestamp', 1e30)).rejects.toThrow('no whole number')
  })

  test('goes on by itself where blocks are asked for by the second', async () => {
    await bench.rpc('evm_setIntervalMining', 1)
    const { number } = await bench.head()
    await expect.poll(async () => (await bench.head()).number).toBeGreaterThan(number)
    await bench.rpc('evm_setIntervalMining', 0)
  })
})

describe('transactions', () => {
  let bench: Bench
  beforeEach(async () => {
    bench = await openBench()
  })
  afterEach(() => bench.close())

  test('that come in the wrong order are mined together once the gap is closed', async () => {
    const next = transfersFrom(1, 8453, somebody)
    const [first, second] = [await next(), await next()]
    const later = await bench.rpc('eth_sendRawTransaction', second)
    expect((await bench.head()).number).toBe(0)
    await bench.rpc('eth_sendRawTransaction', first)
    expect(await bench.rpc('eth_getTransactionReceipt', later)).toMatchObject({ blockNumber: '0x1' })
  })

  test('are refused in the words of the node', async () => {
    const raw = await transfersFrom(1, 8453, somebody)()
    await bench.rpc('eth_sendRawTransaction', raw)
    await expect(bench.rpc('eth_sendRawTransaction', raw)).rejects.toThrow(/nonce too low|already/)
    const poor = { from: richAccount(2).address, to: somebody, value: `0x${(10n ** 30n).toString(16)}` }
    await expect(bench.rpc('eth_sendTransaction', poor)).rejects.toThrow(/funds/)
  })

  test('give their receipt at once where that is asked for', async () => {
    const raw = await transfersFrom(1, 8453, somebody)()
    expect(await bench.rpc('eth_sendRawTransactionSync', raw)).toMatchObject({ status: '0x1', blockNumber: '0x1' })
  })

  test('vanish in a reorg and can be dropped while they wait', async () => {
    const next = transfersFrom(1, 8453, somebody)
    const hash = await bench.rpc('eth_sendRawTransaction', await next())
    await bench.rpc('anvil_mine', 1)
    await bench.rpc('anvil_reorg', 2, [])
    expect(await bench.rpc('eth_getTransactionReceipt', hash)).toBeNull()
    await bench.rpc('evm_setAutomine', false)
    const waiting = await bench.rpc('eth_sendTransaction', { from: richAccount(2).address, to: somebody })
    await bench.rpc('anvil_dropTransaction', waiting)
    await bench.rpc('evm_mine')
    expect(await bench.rpc('eth_getTransactionReceipt', waiting)).toBeNull()
  })
})

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { keccak256 } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Bench, call, openBench, richAccount, transfersFrom } from './test-bench.ts'

const somebody = '0x00000000000000000000000000000000000000bb'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const lines = (text: string) => bench.logged.filter((line) => line.includes(text))

function kill(): void {
  const pid = bench.chain().pid()
  if (pid === null) throw new Error('There is no node to kill.')
  process.kill(pid, 'SIGKILL')
}

/** Every kind of change, often enough to cross several snapshots. */
async function livelyHour(): Promise<void> {
  const { chain, rpc, advance } = bench
  const guest = '0x000000000000000000000000000000000000dEaD'
  for (let round = 0; round < 6; round++) {
    for (let times = 0; times < 12; times++) await chain().mint(somebody, BigInt(times + 1))
    advance(30)
    await chain().followClock()
    await rpc('anvil_setCode', guest, `0x60${16 + round}`)
    await rpc('anvil_setStorageAt', guest, '0x1', `0x${String(round + 1).padStart(64, '0')}`)
    await chain().fundGas(guest, 10n ** 18n)
    await rpc('anvil_impersonateAccount', guest)
    await rpc('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
    await rpc('eth_sendTransaction', { from: richAccount(round).address, to: somebody, value: '0x1' })
    await rpc('anvil_mine', '0x10', '0x1')
    await rpc('evm_setAutomine', false)
    const dropped = await rpc('eth_sendTransaction', { from: richAccount(1).address, to: somebody })
    await rpc('eth_sendTransaction', { from: richAccount(2).address, to: somebody })
    await rpc('anvil_dropTransaction', dropped)
    await rpc('evm_setAutomine', true)
    await rpc('anvil_reorg', 1 + round, [])
    const snapshot = await rpc('evm_snapshot')
    await chain().mint(somebody, 99n)
    await rpc('evm_increaseTime', 3)
    await rpc('evm_revert', snapshot)
  }
}

describe('after any end, the chain is the same to the last hash', () => {
  test('after a clean stop', async () => {
    await livelyHour()
    const before = await bench.hashes()
    await bench.restart()
    expect(await bench.hashes()).toEqual(before)
    expect(lines('came out different')).toEqual([])
  })

  test('after kill -9 of the node', async () => {
    await livelyHour()
    const before = await bench.hashes()
    const pid = bench.chain().pid()
    kill()
    expect(await bench.hashes()).toEqual(before)
    expect(bench.chain().pid()).not.toBe(pid)
    expect(lines('came out different')).toEqual([])
  })

  test('with its recent states, its waiting transactions, its snapshots and its settings', async () => {
    await bench.chain().mint(somebody, 1n)
    const balanceCall = { to: bench.chain().usdc, data: `0x70a08231${somebody.slice(2).padStart(64, '0')}` }
    await bench.rpc('anvil_mine', 250)
    await bench.chain().mint(somebody, 1n)
    await bench.rpc('anvil_mine', 2)
    const snapshot = await bench.rpc('evm_snapshot')
    await bench.rpc('evm_setAutomine', false)
    const { txHash } = await bench.chain().mint(somebody, 1n)
    await bench.restart()
    expect(await bench.rpc('anvil_getAutomine')).toBe(false)
    expect(await bench.rpc('eth_getTransactionByHash', txHash)).toMatchObject({ blockNumber: null })
    expect(Number(await bench.rpc('eth_call', balanceCall, '0xfb'))).toBe(1)
    expect(Number(await bench.rpc('eth_call', balanceCall, 'finalized'))).toBe(2)
    await bench.rpc('evm_mine')
    expect(Number(await bench.rpc('eth_call', balanceCall, 'latest'))).toBe(3)
    expect(await bench.rpc('evm_revert', snapshot)).toBe(true)
    expect(await bench.rpc('evm_revert', snapshot)).toBe(false)
    expect((await bench.head()).number).toBe(254)
  })
})

test('a chain that once went back behind a stored snapshot is restored all the same', async () => {
  await bench.rpc('anvil_mine', 70)
  await expect.poll(storedSnapshots).toHaveLength(1)
  await bench.chain().mint(somebody, 1n)
  await bench.rpc('anvil_reorg', 5, [])
  await bench.rpc('anvil_mine', 70)
  await expect.poll(async () => (await storedSnapshots()).length).toBeGreaterThan(0)
  const before = await bench.hashes()
  await bench.restart()
  expect(await bench.hashes()).toEqual(before)
  expect(lines('came out different')).toEqual([])
})

test('a snapshot that a reorg has taken away cannot be reverted to', async () => {
  await bench.rpc('anvil_mine', 3)
  const snapshot = await bench.rpc('evm_snapshot')
  await bench.chain().mint(somebody, 1n)
  await bench.rpc('anvil_reorg', 3, [])
  expect(await bench.rpc('evm_revert', snapshot)).toBe(false)
  expect((await bench.head()).number).toBe(4)
})

test('kill -9 of the node in a stream of transactions loses none, doubles none and fails none', async () => {
  const streams = [1, 2, 3, 4].map((index) => transfersFrom(index, 8453, somebody))
  const acknowledged: unknown[] = []
  let killed = 0
  const send = async (next: () => Promise<`0x${string}`>) => {
    for (let times = 0; times < 40; times++) {
      acknowledged.push(await bench.rpc('eth_sendRawTransaction', await next()))
      if (acknowledged.length % 45 === 0) {
        kill()
        killed += 1
      }
    }
  }
  await Promise.all(streams.map(send))
  expect(killed).toBe(3)
  const receipts = await Promise.all(acknowledged.map((hash) => bench.rpc('eth_getTransactionReceipt', hash)))
  expect(receipts.filter((receipt) => receipt === null)).toEqual([])
  expect(Number(await bench.rpc('eth_getBalance', somebody, 'latest'))).toBe(160)
  expect(lines('came out different')).toEqual([])
})

test('kill -9 of the process that owns the chain loses nothing and leaves no node behind', async () => {
  await bench.chain().stop()
  const owner = spawn(process.execPath, [fileURLToPath(new URL('test-owner.ts', import.meta.url)), bench.dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { rpcUrl, nodePid } = await firstLine(owner)
  const next = transfersFrom(1, 8453, somebody)
  const acknowledged: unknown[] = []
  for (;;) {
    const raw = await next()
    const answer = call(rpcUrl, 'eth_sendRawTransaction', [raw]).catch(() => null)
    if (acknowledged.length === 30) owner.kill('SIGKILL')
    if ((await answer) === null) break
    acknowledged.push(keccak256(raw))
  }
  await expect.poll(() => isRunning(nodePid)).toBe(false)
  await bench.restart()
  const receipts = await Promise.all(acknowledged.map((hash) => bench.rpc('eth_getTransactionReceipt', hash)))
  expect(receipts.length).toBeGreaterThanOrEqual(30)
  expect(receipts.filter((receipt) => receipt === null)).toEqual([])
})

async function storedSnapshots(): Promise<string[]> {
  const files = await readdir(join(bench.dataDir, 'chain-8453'))
  return files.filter((file) => file.endsWith('.snapshot'))
}

async function firstLine(process: ChildProcess): Promise<{ rpcUrl: string; nodePid: number }> {
  if (!process.stdout) throw new Error('no output to read')
  const [line] = await once(createInterface({ input: process.stdout }), 'line')
  return JSON.parse(line)
}

/** A zombie keeps its pid until it is reaped; its state is Z. */
function isRunning(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
  return state !== '' && !state.startsWith('Z')
}

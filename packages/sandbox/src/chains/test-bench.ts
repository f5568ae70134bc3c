import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, createClient, type Hex, http, publicActions, walletActions } from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import { type Chain, startChain } from './start-chain.ts'

/** A chain in a directory of its own, with a clock that the test moves. */
export type Bench = Awaited<ReturnType<typeof openBench>>

export const BENCH_START_SECONDS = 1_900_000_000

const accounts = new Map<number, HDAccount>()

/** Accounts that anvil funds with gas. */
export function richAccount(addressIndex: number): HDAccount {
  const account =
    accounts.get(addressIndex) ??
    mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
  accounts.set(addressIndex, account)
  return account
}

export async function openBench(network = 'eip155:8453') {
  const dataDir = await mkdtemp(join(tmpdir(), 'guildhall-chain-'))
  const logged: string[] = []
  let now = BENCH_START_SECONDS
  const start = () => startChain({ network, dataDir, clock: () => now * 1000, log: (line) => logged.push(line) })
  let chain: Chain = await start()
  const rpc = (method: string, ...params: readonly unknown[]) => call(chain.rpcUrl, method, params)
  return {
    dataDir,
    logged,
    rpc,
    chain: () => chain,
    now: () => now,
    advance(seconds: number) {
      now += seconds
    },
    client: () =>
      createClient({ transport: http(chain.rpcUrl), pollingInterval: 10 })
        .extend(publicActions)
        .extend(walletActions),
    async head() {
      return blockAt(rpc, 'latest')
    },
    /** The hash of every block: equal only if everything in every block is. */
    async hashes() {
      const { number } = await blockAt(rpc, 'latest')
      return Promise.all(
        Array.from({ length: number + 1 }, async (_, at) => (await blockAt(rpc, `0x${at.toString(16)}`)).hash),
      )
    },
    async restart() {
      await chain.stop()
      chain = await start()
    },
    async close() {
      await chain.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function call(url: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}

/** Signed transfers of gas money from one account, one after another. */
export function transfersFrom(index: number, chainId: number, to: Address) {
  const account = richAccount(index)
  let nonce = 0
  return (): Promise<Hex> =>
    account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: nonce++,
      to,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
    })
}

async function blockAt(rpc: (method: string, ...params: readonly unknown[]) => Promise<unknown>, at: string) {
  const block = (await rpc('eth_getBlockByNumber', at, false)) as { number: Hex; timestamp: Hex; hash: Hex }
  return { number: Number(block.number), time: Number(block.timestamp), hash: block.hash }
}

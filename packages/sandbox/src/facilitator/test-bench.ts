import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ONE_USDC } from '@guildhall/protocol'
import { type Address, createPublicClient, erc20Abi, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { smartWalletFactoryAddress } from '../chains/contracts.ts'
import { startChain } from '../chains/start-chain.ts'
import { startFacilitator } from './start-facilitator.ts'
import { type PaymentOptions, signPayment } from './test-payment.ts'
import { startRpcRelay } from './test-rpc-relay.ts'

export type Bench = Awaited<ReturnType<typeof startBench>>

/** A chain, a facilitator that reaches it through a relay, and a payer with money. */
export async function startBench(network = 'eip155:8453') {
  const dataDir = await mkdtemp(join(tmpdir(), 'facilitator-'))
  const logged: string[] = []
  const log = (line: string) => void logged.push(line)
  let clockOffsetMs = 0
  const chain = await startChain({ network, dataDir, clock: () => Date.now() + clockOffsetMs, log })
  const relay = await startRpcRelay(chain.serviceRpcUrl)
  const facilitator = await startFacilitator({
    networks: [{ network, rpcUrl: relay.url }],
    gasKey: generatePrivateKey(),
    clockOffsetMs,
    eip6492Factories: [smartWalletFactoryAddress],
    log,
  })
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.fundGas(facilitator.address, parseEther('100'))
  await chain.mint(payer.address, 1_000n * ONE_USDC)
  const client = createPublicClient({ transport: http(chain.rpcUrl) })

  return {
    network,
    chain,
    client,
    relay,
    facilitator,
    logged,
    payer,
    balanceOf: (address: Address) =>
      client.readContract({ address: chain.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    payment: (options?: PaymentOptions) => signPayment(chain, payer, options),
    call: (path: 'verify' | 'settle', body: unknown) => postJson(`${facilitator.url}/${path}`, body),
    async moveChainClock(milliseconds: number) {
      clockOffsetMs += milliseconds
      await chain.followClock()
    },
    async stop() {
      await facilitator.stop()
      await relay.stop()
      await chain.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

async function postJson(url: string, body: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

import { join } from 'node:path'
import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { mintAbi } from './contracts.ts'
import { openDurableChain } from './durable-chain.ts'
import { networkPlan } from './networks.ts'
import { startRpcGateway } from './rpc-gateway.ts'

/** A local chain that stands in for a real network: the same chain id, a play dollar at the same address. */
export type Chain = {
  readonly network: string
  readonly chainId: number
  readonly usdc: Address
  /** For people, wallets and tests: never faulty. */
  readonly rpcUrl: string
  /** The same chain as the service and the facilitator see it: obeys failWith. */
  readonly serviceRpcUrl: string
  mint(address: Address, atomic: bigint): Promise<{ txHash: Hex }>
  fundGas(address: Address, wei: bigint): Promise<void>
  /** Brings the chain to the clock's time after the clock was moved. */
  followClock(): Promise<void>
  /** Cuts the service's connection, for `times` calls or until it is set to `ok`. */
  failWith(fault: 'ok' | 'down', times?: number): void
  /** The fault that the service's next call will meet. */
  fault(): 'ok' | 'down'
  /** The node's process, null while it is being started again. */
  pid(): number | null
  stop(): Promise<void>
}

/** The `finalized` block is two behind the newest: three at the clock's new time bring it there too. */
const BLOCKS_TO_FINALITY = 3

/** An account whose key every such node knows and whose gas never runs out in practice. */
const FAUCET: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

export async function startChain(options: {
  readonly network: string
  readonly dataDir: string
  readonly clock: () => number
  readonly log: (line: string) => void
  readonly port?: number
}): Promise<Chain> {
  const plan = networkPlan(options.network)
  const { network, chainId, usdc } = plan
  const directory = join(options.dataDir, `chain-${chainId}`)
  const chain = await openDurableChain({ plan, directory, clock: options.clock, log: options.log })
  let failuresLeft = 0
  const cutsService = () => failuresLeft > 0 && failuresLeft-- > 0
  const gateway = await startRpcGateway({ chain, port: options.port ?? 0, cutsService }).catch(async (error) => {
    await chain.stop()
    throw error
  })

  return {
    network,
    chainId,
    usdc,
    rpcUrl: gateway.url,
    serviceRpcUrl: gateway.serviceUrl,
    async mint(address, atomic) {
      const data = encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [address, atomic] })
      return { txHash: (await chain.change('eth_sendTransaction', [{ from: FAUCET, to: usdc, data }])) as Hex }
    },
    async fundGas(address, wei) {
      await chain.change('anvil_addBalance', [address, numberToHex(wei)])
    },
    followClock: () => chain.keepUp(0, BLOCKS_TO_FINALITY),
    failWith(fault, times = Number.POSITIVE_INFINITY) {
      failuresLeft = fault === 'down' ? times : 0
    },
    fault: () => (failuresLeft > 0 ? 'down' : 'ok'),
    pid: chain.pid,
    async stop() {
      await gateway.stop()
      await chain.stop()
    },
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenDomain, typedTransfer } from '@guildhall/protocol'
import { type Chain as SandboxChain, startChain, usdcDomain } from '@guildhall/sandbox'
import { encodeFunctionData, type LocalAccount, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Authorization, Hex } from '../../src/domain/transfer/transfer.ts'
import { createEvmChain, type EvmChain } from '../../src/payments/evm-chain.ts'
import { createRpc } from '../../src/payments/json-rpc.ts'
import type { ServedNetwork } from '../../src/ports/rules.ts'

export type PlayChain = {
  readonly sandbox: SandboxChain
  readonly served: ServedNetwork & { readonly rpcUrl: string }
  readonly evm: EvmChain
  call(method: string, ...params: readonly unknown[]): Promise<unknown>
  /** Sends a transaction from an account with gas and gives its hash. */
  send(to: Hex, data: Hex): Promise<Hex>
  /** A transfer of 5 USDC from a fresh wallet that holds 10, unless told otherwise. */
  authorize(over?: Partial<Authorization>, payer?: LocalAccount): Promise<SignedTransfer>
  settle(transfer: SignedTransfer): Promise<Hex>
  close(): Promise<void>
}

export type SignedTransfer = {
  readonly authorization: Authorization
  readonly signature: Hex
  readonly payer: LocalAccount
}

const GAS_ACCOUNT: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

export const tokenCalls = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])

export const lower = (hex: string): Hex => hex.toLowerCase() as Hex

/** A real local chain with play money, and a reader for it. */
export async function openPlayChain(network: string, depths = { confirmations: 1, finality: 1 }): Promise<PlayChain> {
  const dataDir = await mkdtemp(join(tmpdir(), 'guildhall-play-'))
  const sandbox = await startChain({ network, dataDir, clock: Date.now, log: () => {} })
  const served = { network, usdc: lower(sandbox.usdc), domain: usdcDomain, ...depths, rpcUrl: sandbox.serviceRpcUrl }
  const rpc = createRpc({ url: sandbox.rpcUrl, timeoutMs: 10_000 })
  const send = (to: Hex, data: Hex) => rpc('eth_sendTransaction', [{ from: GAS_ACCOUNT, to, data }]) as Promise<Hex>

  return {
    sandbox,
    served,
    evm: createEvmChain({ networks: [served], timeoutMs: 5_000 }),
    call: (method, ...params) => rpc(method, params),
    send,
    async authorize(over = {}, payer = privateKeyToAccount(generatePrivateKey())) {
      const authorization = { ...freshTransfer(served, payer.address), ...over }
      await sandbox.mint(payer.address, 10_000_000n)
      const domain = tokenDomain({ network, asset: served.usdc, ...served.domain })
      return { authorization, signature: await payer.signTypedData(typedTransfer(authorization, domain)), payer }
    },
    settle: (transfer) => send(served.usdc, transferCall(transfer)),
    async close() {
      await sandbox.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function freshTransfer({ network, usdc }: ServedNetwork, from: Hex): Authorization {
  return {
    network,
    asset: usdc,
    from: lower(from),
    to: '0x00000000000000000000000000000000000e5c01',
    value: 5_000_000n,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 3600),
    nonce: generatePrivateKey(),
  }
}

export function transferCall({ authorization, signature }: Omit<SignedTransfer, 'payer'>): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const
  return encodeFunctionData({ abi: tokenCalls, functionName: 'transferWithAuthorization', args })
}

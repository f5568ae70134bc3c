import { randomUUID } from 'node:crypto'
import { parseUsdc } from '@guildhall/protocol'
import { type Guildhall, type GuildhallOptions, generateKey } from '@guildhall/sdk'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { BASE, type Stage } from './stage.ts'

/** An agent of a story: its client, and the wallet with which it pays or is paid. */
export type Player = {
  readonly id: string
  readonly name: string
  readonly key: Uint8Array
  readonly wallet: PrivateKeyAccount
  readonly client: Guildhall
  /** The same agent at another node, or with other options. */
  with(options: Partial<GuildhallOptions> & { readonly node?: number }): Guildhall
}

/** A name that nobody has yet, also when a test is tried a second time. */
export const freshName = (text: string): string => `${text} ${randomUUID().slice(0, 8)}`

type Profile = { readonly name?: string; readonly capabilities?: readonly string[] }

/** A registered agent with a fresh key and a fresh, empty wallet. */
export async function newAgent(stage: Stage, { name, capabilities = ['anything'] }: Profile = {}): Promise<Player> {
  const key = generateKey().secretKey
  const wallet = newWallet()
  const usdcContracts = Object.fromEntries(stage.parts.chains.map(({ network, usdc }) => [network, usdc]))
  const withOptions: Player['with'] = (options) =>
    stage.client({ key, wallet, maxUsdc: '1000', usdcContracts, ...options })
  const client = withOptions({})
  const called = name ?? `agent ${randomUUID()}`
  const { agent_id: id } = await client.agents.register({
    name: called,
    description: 'Plays a part in a story.',
    capabilities: [...capabilities],
  })
  return { id, name: called, key, wallet, client, with: withOptions }
}

/** An agent whose wallet holds USDC. */
export async function newBuyer(stage: Stage, { usdc = '100', network = BASE } = {}): Promise<Player> {
  const buyer = await newAgent(stage)
  await give(stage, buyer.wallet.address, usdc, network)
  return buyer
}

/** An agent with a proven payout wallet. */
export async function newWorker(stage: Stage, profile: Profile = {}): Promise<Player> {
  const worker = await newAgent(stage, profile)
  await worker.client.wallet.prove(worker.wallet, BASE)
  return worker
}

export const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

export async function give(stage: Stage, address: `0x${string}`, usdc: string, network = BASE): Promise<void> {
  await stage.chain(network).mint(address, parseUsdc(usdc) ?? 0n)
}

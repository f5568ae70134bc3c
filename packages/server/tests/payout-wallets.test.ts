import { payoutWalletMessage, SOLANA_ID } from '@guildhall/protocol'
import { isGuildhallError } from '@guildhall/sdk'
import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { newAgent, newWallet, type Player } from './support/cast.ts'
import { refusalOf } from './support/refusals.ts'
import { deployedWallet, undeployedWallet } from './support/smart-wallets.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage } from './support/stage.ts'

const stage = setStage({ nodes: 2, networks: ALL_NETWORKS })

type Network = NonNullable<Parameters<Player['client']['wallet']['prove']>[1]>
const SOLANA = SOLANA_ID as Network
const OPTIMISM = 'eip155:10'
const BASE_SEPOLIA = 'eip155:84532'

const nonce = () => generatePrivateKey().slice(2, 34)
const textFor = (agent: Player, wallet: string, changes: Partial<Parameters<typeof payoutWalletMessage>[1]> = {}) =>
  payoutWalletMessage('Guildhall', {
    agentId: agent.id,
    wallet: wallet as `0x${string}`,
    network: BASE,
    issuedAt: Math.floor(stage.now() / 1000),
    nonce: nonce(),
    ...changes,
  })

type Proof = { readonly message: string; readonly signature: string }
const set = (agent: Player, wallet: string, wallet_proof?: Proof, network: Network = BASE, node = 0) =>
  agent.with({ node }).call('setWallet', {
    params: { id: agent.id },
    body: { wallet_address: wallet, wallet_network: network, wallet_proof },
  })
const proofOf = async (account: ReturnType<typeof newWallet>, message: string): Promise<Proof> => ({
  message,
  signature: await account.signMessage({ message }),
})

describe('a plain wallet', () => {
  test('is set by a signature over the text that the service asks to sign', async () => {
    const agent = await newAgent(stage)
    const account = newWallet()
    const asked = await refusalOf(set(agent, account.address), 'wallet_proof_required')
    expect(asked.fields.sign_this.split('\n').slice(0, 4)).toEqual([
      'Guildhall payout wallet',
      `Agent: ${agent.id}`,
      `Wallet: ${account.address.toLowerCase()}`,
      `Network: ${BASE}`,
    ])
    const saved = await set(agent, account.address, await proofOf(account, asked.fields.sign_this))
    expect(saved).toMatchObject({ wallet_verified: true, wallet_kind: 'plain', wallet_network: BASE })
    expect(await stage.client().wallet.get(agent.id)).toEqual(saved)
  })

  test('is kept without a new proof when it is sent again, and cleared by null', async () => {
    const agent = await newAgent(stage)
    const proof = await proofOf(agent.wallet, textFor(agent, agent.wallet.address))
    const saved = await set(agent, agent.wallet.address, proof)
    expect(await set(agent, agent.wallet.address)).toEqual(saved)
    expect(await set(agent, agent.wallet.address, proof)).toEqual(saved)
    const body = { wallet_address: agent.wallet.address }
    expect(await agent.client.call('setWallet', { params: { id: agent.id }, body })).toEqual(saved)
    const other = { wallet_address: newWallet().address }
    await refusalOf(agent.client.call('setWallet', { params: { id: agent.id }, body: other }), 'bad_request')
    expect(await agent.client.wallet.clear()).toMatchObject({ wallet_address: null, wallet_verified: false })
    await refusalOf(set(agent, agent.wallet.address, proof), 'wallet_proof_reused')
  })

  test('needs a proof for another network as well', async () => {
    const agent = await newAgent(stage)
    await agent.client.wallet.prove(agent.wallet, BASE)
    await refusalOf(set(agent, agent.wallet.address, undefined, POLYGON), 'wallet_proof_required')
    expect(await agent.client.wallet.prove(agent.wallet, POLYGON)).toMatchObject({ wallet_network: POLYGON })
  })

  test('is set by its own agent only', async () => {
    const [agent, other] = [await newAgent(stage), await newAgent(stage)]
    const proof = await proofOf(other.wallet, textFor(other, other.wallet.address))
    const body = { wallet_address: other.wallet.address, wallet_network: BASE, wallet_proof: proof } as const
    await refusalOf(agent.client.call('setWallet', { params: { id: other.id }, body }), 'forbidden')
  })
})

describe('a proof is refused', () => {
  type Case = { reason: string; text: (agent: Player, wallet: string) => string; network?: Network }
  const issued = (agent: Player, wallet: string, seconds: number) =>
    textFor(agent, wallet, { issuedAt: Math.floor(stage.now() / 1000) + seconds })
  const cases: readonly Case[] = [
    { reason: 'malformed_message', text: (agent, wallet) => `${textFor(agent, wallet)}\nand more` },
    {
      reason: 'malformed_message',
      text: (agent, wallet) => textFor(agent, wallet).replace(wallet.toLowerCase(), wallet),
    },
    {
      reason: 'malformed_message',
      text: (agent, wallet) => textFor(agent, wallet).replace(/Issued: .*T/, 'Issued: 2026-02-30T'),
    },
    { reason: 'agent_mismatch', text: (agent, wallet) => textFor({ ...agent, id: `ag_${'1'.repeat(32)}` }, wallet) },
    { reason: 'agent_mismatch', text: (agent, wallet) => textFor({ ...agent, id: 'ag_x' }, wallet) },
    { reason: 'address_mismatch', text: (agent) => textFor(agent, newWallet().address) },
    { reason: 'network_mismatch', text: (agent, wallet) => textFor(agent, wallet, { network: POLYGON }) },
    { reason: 'expired', text: (agent, wallet) => issued(agent, wallet, -901) },
    { reason: 'issued_in_future', text: (agent, wallet) => issued(agent, wallet, 3_600) },
    {
      reason: 'unsupported_network',
      text: (agent, wallet) => textFor(agent, wallet, { network: SOLANA_ID }),
      network: SOLANA,
    },
    {
      reason: 'unsupported_network',
      text: (agent, wallet) => textFor(agent, wallet, { network: BASE_SEPOLIA }),
      network: BASE_SEPOLIA,
    },
  ]

  test.each(cases)('as $reason', async ({ reason, text, network }) => {
    const agent = await newAgent(stage)
    const proof = await proofOf(agent.wallet, text(agent, agent.wallet.address))
    const refused = await refusalOf(set(agent, agent.wallet.address, proof, network), 'wallet_proof_invalid')
    expect(refused.fields.reason).toBe(reason)
  })

  test('as bad_signature when another key has signed', async () => {
    const agent = await newAgent(stage)
    const proof = await proofOf(newWallet(), textFor(agent, agent.wallet.address))
    const refused = await refusalOf(set(agent, agent.wallet.address, proof), 'wallet_proof_invalid')
    expect(refused.fields.reason).toBe('bad_signature')
  })

  test('for addresses that would swallow the money', async () => {
    const agent = await newAgent(stage)
    const escrow = stage.escrow.address
    for (const address of [`0x${'0'.repeat(40)}`, `0x${'0'.repeat(39)}9`, escrow, stage.chain().usdc]) {
      await refusalOf(set(agent, address), 'bad_request')
    }
  })
})

test('a nonce counts once, for whichever agent and on whichever node it is shown', async () => {
  const [agent, other] = [await newAgent(stage), await newAgent(stage)]
  const shared = nonce()
  await set(
    agent,
    agent.wallet.address,
    await proofOf(agent.wallet, textFor(agent, agent.wallet.address, { nonce: shared })),
  )
  const second = await proofOf(other.wallet, textFor(other, other.wallet.address, { nonce: shared }))
  await refusalOf(set(other, other.wallet.address, second, BASE, 1), 'wallet_proof_reused')
})

test('one proof sent ten times at once over two nodes sets the wallet once', async () => {
  const agent = await newAgent(stage)
  const proof = await proofOf(agent.wallet, textFor(agent, agent.wallet.address))
  const sent = Array.from({ length: 10 }, (_, place) => set(agent, agent.wallet.address, proof, BASE, place % 2))
  const outcomes = await Promise.allSettled(sent)
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused.length).toBeLessThan(10)
  expect(refused.every((error) => isGuildhallError(error, 'wallet_proof_reused'))).toBe(true)
  expect(await agent.client.wallet.get()).toMatchObject({ wallet_address: agent.wallet.address.toLowerCase() })
})

describe('a smart wallet', () => {
  test('proves itself by ERC-1271 where it is deployed', async () => {
    const agent = await newAgent(stage)
    const wallet = await deployedWallet(stage.chain(), agent.wallet)
    expect(await agent.client.wallet.prove(wallet, BASE)).toMatchObject({ wallet_kind: 'contract' })
  })

  test('proves itself by ERC-6492 before it is deployed', async () => {
    const agent = await newAgent(stage)
    const wallet = await undeployedWallet(stage.chain(), agent.wallet)
    expect(await agent.client.wallet.prove(wallet, BASE)).toMatchObject({
      wallet_kind: 'contract',
      wallet_address: wallet.address.toLowerCase(),
    })
  })

  test('is refused when its owner did not sign', async () => {
    const agent = await newAgent(stage)
    const wallet = await deployedWallet(stage.chain(), newWallet())
    const message = textFor(agent, wallet.address)
    const refused = await refusalOf(
      set(agent, wallet.address, { message, signature: await agent.wallet.signMessage({ message }) }),
      'wallet_proof_invalid',
    )
    expect(refused.fields.reason).toBe('bad_signature')
  })

  test('cannot prove itself on a network of which the service has no node, and is told so', async () => {
    const agent = await newAgent(stage)
    const wallet = await undeployedWallet(stage.chain(), agent.wallet)
    const message = textFor(agent, wallet.address, { network: OPTIMISM })
    const proof = { message, signature: await wallet.signMessage({ message }) }
    const refused = await refusalOf(set(agent, wallet.address, proof, OPTIMISM), 'wallet_proof_invalid')
    expect(refused.fields.reason).toBe('unsupported_network')
    expect(await agent.client.wallet.prove(agent.wallet, OPTIMISM)).toMatchObject({ wallet_kind: 'plain' })
  })

  test('gets 503 while the chain cannot be reached, and the same proof is good afterwards', async () => {
    const agent = await newAgent(stage)
    const wallet = await deployedWallet(stage.chain(), agent.wallet)
    const message = textFor(agent, wallet.address)
    const proof = { message, signature: await wallet.signMessage({ message }) }
    await agent.client.sandbox.setFaults({ rpc: 'down' })
    const refused = await refusalOf(set(agent, wallet.address, proof), 'wallet_proof_unavailable')
    expect(refused.status).toBe(503)
    await agent.client.sandbox.setFaults({ rpc: 'ok' })
    expect(await set(agent, wallet.address, proof)).toMatchObject({ wallet_verified: true })
  })

  test('does not keep a plain key from proving itself while the chain is down', async () => {
    const agent = await newAgent(stage)
    await agent.client.sandbox.setFaults({ rpc: 'down' })
    expect(await agent.client.wallet.prove(agent.wallet, BASE)).toMatchObject({ wallet_kind: 'plain' })
    await agent.client.sandbox.setFaults({ rpc: 'ok' })
  })
})

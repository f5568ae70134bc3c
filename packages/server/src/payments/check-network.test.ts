import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lower, openPlayChain, type PlayChain } from '../../tests/support/open-play-chain.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import { createEvmChain } from './evm-chain.ts'

const network = 'eip155:8453'
const nobody: Hex = `0x${'ab'.repeat(20)}`

let play: PlayChain

beforeAll(async () => {
  play = await openPlayChain(network)
})
afterAll(() => play.close())

async function contractWithCode(code: Hex): Promise<Hex> {
  const { address } = privateKeyToAccount(generatePrivateKey())
  await play.call('anvil_setCode', address, code)
  return lower(address)
}

describe('the settings of a network', () => {
  const check = (over: object, escrow: Hex | null = null) =>
    createEvmChain({ networks: [{ ...play.served, ...over }], timeoutMs: 5_000 }).checkNetwork(
      { network, ...over }.network,
      escrow,
    )

  test('are right when chain, token, domain and escrow wallet are what they should be', async () => {
    expect(await check({}, nobody)).toEqual([])
  })

  test.each([
    ['another chain', { network: 'eip155:137' }, 'eip155:137: the node is on chain 8453.'],
    ['a token that is not there', { usdc: nobody }, `${network}: there is no token at ${nobody}.`],
    [
      'another domain',
      { domain: { name: 'USD Coin', version: '2' } },
      `${network}: the token's EIP-712 domain is not "USD Coin", version "2".`,
    ],
  ])('are wrong with %s', async (_, over, problem) => {
    expect(await check(over)).toEqual([problem])
  })

  test('are wrong when the token is something else', async () => {
    const usdc = await contractWithCode(('0x60126000526020' + '6000f3') as Hex)
    expect(await check({ usdc })).toEqual([
      `${network}: the token at ${usdc} has 18 decimals, not 6.`,
      expect.stringContaining('EIP-712 domain'),
    ])
    const silent = await contractWithCode('0x00')
    expect(await check({ usdc: silent })).toEqual([expect.stringContaining('has no decimals'), expect.any(String)])
  })

  test('are wrong when the escrow wallet is a contract', async () => {
    const escrow = await contractWithCode('0x00')
    expect(await check({}, escrow)).toEqual([
      `${network}: the escrow wallet ${escrow} has code; it must be a plain key.`,
    ])
  })
})

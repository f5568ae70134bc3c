import { describe, expect, test } from 'vitest'
import { PaymentRequired } from '../schemas/payment.ts'
import { encodeHeaderJson } from './header-json.ts'
import { encodePaymentResponse, paymentRequired, paymentRequirements } from './payment-required.ts'

const asset = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const payTo = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const offer = (amount: bigint, network = 'eip155:8453') =>
  paymentRequirements({ network, asset, domain: { name: 'USD Coin', version: '2' }, payTo, amount })
const ask = (amount: bigint, network?: string) =>
  paymentRequired({ url: 'https://guild.example/v1/tasks', description: 'Bounty.', accepts: [offer(amount, network)] })

describe('a request for payment', () => {
  test('asks for the exact amount, for an hour, under the domain of the token', () => {
    expect(offer(1_230_000n)).toEqual({
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '1230000',
      asset,
      payTo,
      maxTimeoutSeconds: 3600,
      extra: { name: 'USD Coin', version: '2' },
    })
    expect(PaymentRequired.safeParse(ask(1_230_000n)).success).toBe(true)
  })

  test('tells stock clients of their limit when it asks for more than one dollar', () => {
    expect(ask(1_000_000n).resource.description).toBe('Bounty.')
    expect(ask(1_000_001n).resource.description).toContain('client.setSpendControls({ maxAmountPerPayment: "$1000" })')
  })

  test('tells stock clients of a token that they do not know', () => {
    expect(ask(1n, 'eip155:5042').resource.description).toContain(
      `allowedAssets: [{ network: "eip155:5042", asset: "${asset}" }]`,
    )
  })

  test('carries the reason of an earlier refusal, if there is one', () => {
    const { url, description } = ask(1n).resource
    expect(ask(1n)).not.toHaveProperty('error')
    expect(paymentRequired({ url, description, accepts: [offer(1n)], error: 'bad_signature' }).error).toBe(
      'bad_signature',
    )
  })

  test('stays below 4 KB as a header, in ASCII, whatever it describes', () => {
    const accepts = ['eip155:8453', 'eip155:137', 'eip155:5042'].map((network) => offer(1_000_000_000n, network))
    const url = `https://guild.example/v1/tasks/${'x'.repeat(100)}`
    const required = paymentRequired({ url, description: '🏛️"\n'.repeat(10_000), accepts })
    const header = encodeHeaderJson(required)
    expect(header.length).toBeLessThan(4096)
    expect(required.resource.description).toMatch(/^[\x20-\x7e]+$/)
  })

  test('is answered with base64 of JSON in a header', () => {
    const response = {
      success: true,
      payer: payTo,
      transaction: `0x${'ab'.repeat(32)}`,
      network: 'eip155:8453',
    } as const
    const header = encodePaymentResponse(response)
    expect(Buffer.from(header, 'base64').toString('base64')).toBe(header)
    expect(JSON.parse(Buffer.from(header, 'base64').toString())).toEqual(response)
  })
})

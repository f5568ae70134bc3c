import { inspect } from 'node:util'
import { tokenDomain, typedTransfer } from '@guildhall/protocol'
import { recoverTypedDataAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Authorization, Hex } from '../domain/transfer/transfer.ts'
import type { ServedNetwork } from '../ports/rules.ts'
import { createLocalEscrowSigner } from './local-escrow-signer.ts'

const second = 1_800_000_000
const served: ServedNetwork = {
  network: 'eip155:8453',
  usdc: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  domain: { name: 'Play USD', version: '2' },
  confirmations: 1,
  finality: 1,
}
const privateKey = generatePrivateKey()
const escrow = privateKeyToAccount(privateKey).address.toLowerCase() as Hex
const worker = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

const payout = (over: Partial<Authorization> = {}): Authorization => ({
  network: served.network,
  asset: served.usdc,
  from: escrow,
  to: worker,
  value: 3_000_000n,
  validAfter: 0n,
  validBefore: BigInt(second + 3600),
  nonce: `0x${'11'.repeat(32)}`,
  ...over,
})

const signerWith = (options: { maxPerHourAtomic?: bigint; now?: () => number } = {}) => {
  const { now = () => second * 1000, ...caps } = options
  return createLocalEscrowSigner({
    privateKey,
    networks: [served],
    maxPayoutAtomic: 5_000_000n,
    clock: { now },
    ...caps,
  })
}
const sign = (authorization: Authorization, signer = signerWith()) => signer.sign({ transferId: 'tr_1', authorization })

describe('the escrow signer', () => {
  test('signs a payout out of its own wallet', async () => {
    const outcome = await sign(payout())
    if (outcome.kind === 'refused') throw new Error(outcome.reason)
    const domain = tokenDomain({ network: served.network, asset: served.usdc, ...served.domain })
    const signer = await recoverTypedDataAddress({ ...typedTransfer(payout(), domain), signature: outcome.signature })
    expect(signer.toLowerCase()).toBe(signerWith().address)
    expect(signerWith().address).toBe(escrow)
  })

  test.each<[string, Partial<Authorization>]>([
    ['network_not_served', { network: 'eip155:137' }],
    ['token_not_served', { asset: worker }],
    ['not_from_escrow', { from: worker }],
    ['recipient_not_allowed', { to: escrow }],
    ['recipient_not_allowed', { to: served.usdc }],
    ['recipient_not_allowed', { to: `0x${'0'.repeat(40)}` }],
    ['recipient_not_allowed', { to: '0x12' }],
    ['amount_not_positive', { value: 0n }],
    ['amount_not_positive', { value: -1n }],
    ['payout_cap_exceeded', { value: 5_000_001n }],
    ['validity_out_of_range', { validAfter: BigInt(second + 1) }],
    ['validity_out_of_range', { validBefore: BigInt(second) }],
    ['validity_out_of_range', { validBefore: BigInt(second + 4201) }],
    ['nonce_malformed', { nonce: '0x11' }],
  ])('refuses with %s: %o', async (reason, over) => {
    expect(await sign(payout(over))).toEqual({ kind: 'refused', reason })
  })

  test('signs no more within an hour than its cap, and goes on when the hour is over', async () => {
    let now = second * 1000
    const signer = signerWith({ maxPerHourAtomic: 8_000_000n, now: () => now })
    const paying = (value: bigint, digit: string) => {
      const validBefore = BigInt(Math.floor(now / 1000) + 600)
      return sign(payout({ value, validBefore, nonce: `0x${digit.repeat(64)}` }), signer)
    }
    expect((await paying(5_000_000n, '1')).kind).toBe('signed')
    expect((await paying(3_000_000n, '2')).kind).toBe('signed')
    expect(await paying(1n, '3')).toEqual({ kind: 'refused', reason: 'hourly_cap_reached' })
    now += 3_599_999
    expect((await paying(1n, '3')).kind).toBe('refused')
    now += 1
    expect((await paying(5_000_000n, '3')).kind).toBe('signed')
  })

  test('counts a payout that it signs anew only once', async () => {
    const signer = signerWith({ maxPerHourAtomic: 3_000_000n })
    expect((await sign(payout(), signer)).kind).toBe('signed')
    expect((await sign(payout({ validBefore: BigInt(second + 4000) }), signer)).kind).toBe('signed')
  })

  test('shows its key to nobody', () => {
    const shown = inspect(signerWith(), { depth: null, showHidden: true }) + JSON.stringify(signerWith())
    expect(shown).not.toContain(privateKey.slice(2))
  })

  test('does not repeat a key that is none', () => {
    const broken: Hex = `${privateKey}ff`
    const make = () =>
      createLocalEscrowSigner({ privateKey: broken, networks: [], maxPayoutAtomic: 1n, clock: { now: () => 0 } })
    expect(make).toThrow('The escrow key is not a private key')
    try {
      make()
    } catch (error) {
      expect(inspect(error, { depth: null, showHidden: true })).not.toContain(privateKey.slice(2))
    }
  })
})

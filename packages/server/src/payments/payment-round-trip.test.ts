import { exitNonce, judgePayment, parsePaymentHeader, paymentRequired, paymentRequirements } from '@guildhall/protocol'
import { type Facilitator as SandboxFacilitator, startFacilitator } from '@guildhall/sandbox'
import { x402Client, x402HTTPClient } from '@x402/core/client'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { lower, openPlayChain, type PlayChain, type SignedTransfer } from '../../tests/support/open-play-chain.ts'
import type { Authorization, Hex } from '../domain/transfer/transfer.ts'
import type { EscrowSigner } from '../ports/escrow-signer.ts'
import type { Facilitator } from '../ports/facilitator.ts'
import { createHttpFacilitator } from './http-facilitator.ts'
import { createLocalEscrowSigner } from './local-escrow-signer.ts'

const network = 'eip155:8453'
let play: PlayChain
let sandbox: SandboxFacilitator
let facilitator: Facilitator
let escrow: EscrowSigner

beforeAll(async () => {
  play = await openPlayChain(network)
  const gasKey = generatePrivateKey()
  await play.sandbox.fundGas(privateKeyToAccount(gasKey).address, parseEther('10'))
  const networks = [{ network, rpcUrl: play.sandbox.serviceRpcUrl }]
  sandbox = await startFacilitator({ networks, gasKey, clockOffsetMs: 0, eip6492Factories: [], log: () => {} })
  const log = { info: () => {}, warn: () => {}, alarm: () => {} }
  facilitator = createHttpFacilitator({ urlFor: () => sandbox.url, timeoutMs: { verify: 5_000, settle: 10_000 }, log })
  const caps = { maxPayoutAtomic: 1_000_000_000n, clock: { now: Date.now } }
  escrow = createLocalEscrowSigner({ privateKey: generatePrivateKey(), networks: [play.served], ...caps })
})
afterEach(() => sandbox.failWith('ok'))
afterAll(async () => {
  await sandbox?.stop()
  await play?.close()
})

const offer = (payTo: Hex, amount = 5_000_000n) =>
  paymentRequirements({ network, asset: play.served.usdc, domain: play.served.domain, payTo, amount })
const toEscrow = (over: Partial<Authorization> = {}) => play.authorize({ to: escrow.address, ...over })
const settle = (transfer: Omit<SignedTransfer, 'payer'>) =>
  facilitator.settle(transfer, offer(transfer.authorization.to, transfer.authorization.value))
const evidence = ({ authorization }: { authorization: Authorization }) => play.evm.evidence(authorization, 0n)

describe('a payment', () => {
  test('by the official client goes from the 402 to its proof on the chain', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    await play.sandbox.mint(account.address, 5_000_000n)
    const required = paymentRequired({
      url: 'http://guild.example/v1/tasks',
      description: 'A task.',
      accepts: [offer(escrow.address)],
    })
    expect(PaymentRequiredV2Schema.safeParse(required).success).toBe(true)
    const client = new x402Client().register('eip155:*', new ExactEvmScheme(account))
    client.setSpendControls({ maxAmountPerPayment: '$1000' })
    const payload = await client.createPaymentPayload(required as Parameters<typeof client.createPaymentPayload>[0])
    const header = new x402HTTPClient(client).encodePaymentSignatureHeader(payload)['PAYMENT-SIGNATURE'] ?? ''

    const parsed = parsePaymentHeader(header)
    if ('problem' in parsed) throw new Error(parsed.problem)
    const payment = parsed.payload
    expect(judgePayment({ payment, requirements: offer(escrow.address), now: Date.now() })).toBeNull()
    const authorization = { network, asset: play.served.usdc, ...payment.authorization }
    const { signature } = payment
    expect(await play.evm.payerSigned(authorization, signature)).toBe('plain')
    const valid = { kind: 'valid', payer: lower(account.address) }
    expect(await facilitator.verify({ authorization, signature }, offer(escrow.address))).toEqual(valid)
    const settled = await settle({ authorization, signature })
    expect(settled.kind).toBe('settled')
    expect(await evidence({ authorization })).toMatchObject({ ...settled })
  })

  test('without the money is invalid for want of funds', async () => {
    const poor = await toEscrow({ value: 10_000_001n })
    const verdict = await facilitator.verify(poor, offer(escrow.address, 10_000_001n))
    expect(verdict).toEqual({ kind: 'invalid', reason: 'insufficient_funds' })
  })

  test('that was settled before is known as used', async () => {
    const transfer = await toEscrow()
    await settle(transfer)
    expect(await facilitator.verify(transfer, offer(escrow.address))).toEqual({
      kind: 'invalid',
      reason: 'already_used',
    })
    expect((await settle(transfer)).kind).toBe('rejected')
    expect((await evidence(transfer)).kind).toBe('settled')
  })
})

describe('whatever the facilitator says, the chain knows', () => {
  test('that money moved when the answer was lost', async () => {
    const transfer = await toEscrow()
    await sandbox.failWith('response_lost', 1)
    expect((await settle(transfer)).kind).toBe('unknown')
    expect((await evidence(transfer)).kind).toBe('settled')
  })

  test('that money moved when it says no', async () => {
    const transfer = await toEscrow()
    await sandbox.failWith('lies_failed', 1)
    expect((await settle(transfer)).kind).toBe('rejected')
    expect((await evidence(transfer)).kind).toBe('settled')
  })

  test('that no money moved when it says yes', async () => {
    const transfer = await toEscrow()
    await sandbox.failWith('lies_settled', 1)
    expect((await settle(transfer)).kind).toBe('settled')
    expect((await evidence(transfer)).kind).toBe('unused')
  })

  test('nothing new while the facilitator is down', async () => {
    const transfer = await toEscrow()
    await sandbox.failWith('down')
    expect((await facilitator.verify(transfer, offer(escrow.address))).kind).toBe('unavailable')
    expect((await settle(transfer)).kind).toBe('unknown')
    expect((await evidence(transfer)).kind).toBe('unused')
  })
})

test('a deposit leaves escrow once: of its release and its refund the token lets one through', async () => {
  const deposit = await toEscrow()
  await settle(deposit)
  const worker = lower(privateKeyToAccount(generatePrivateKey()).address)
  const exit = async (to: Hex) => {
    const { validAfter, validBefore, network, asset, value } = deposit.authorization
    const nonce = exitNonce(deposit.authorization)
    const authorization = { network, asset, from: escrow.address, to, value, validAfter, validBefore, nonce }
    const signed = await escrow.sign({ transferId: 'tr_exit', authorization })
    if (signed.kind === 'refused') throw new Error(signed.reason)
    return { authorization, signature: signed.signature }
  }
  const release = await exit(worker)
  const refund = await exit(deposit.authorization.from)
  expect((await settle(release)).kind).toBe('settled')
  expect((await settle(refund)).kind).toBe('rejected')
  expect((await evidence(release)).kind).toBe('settled')
  expect((await evidence(refund)).kind).toBe('spent_otherwise')
  expect(await play.evm.balanceOf(network, worker)).toMatchObject({ atomic: 5_000_000n })
})

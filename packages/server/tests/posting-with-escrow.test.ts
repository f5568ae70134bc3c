import { SOLANA_ID } from '@guildhall/protocol'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { describe, expect, test } from 'vitest'
import { give, newAgent, newBuyer, newWallet } from './support/cast.ts'
import { carryOut, usdcOf } from './support/chain-calls.ts'
import { collected } from './support/collected.ts'
import { askPrice, pay, readHeader, signPayment } from './support/payments.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { deployedWallet, undeployedWallet } from './support/smart-wallets.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage, THIRD } from './support/stage.ts'
import { aBounty, aTask } from './support/tasks.ts'

const stage = setStage({ networks: ALL_NETWORKS })
const escrow = () => stage.escrow.address
const SOLANA_DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const withBounty = { ...aTask, bounty: aBounty() }

const tasksOf = async (id: string) => collected(stage.client().tasks.list({ creator: id, status: 'all' }))

describe('the 402 handshake', () => {
  test('asks for the bounty in USDC to the escrow wallet, in body and header alike, and writes nothing', async () => {
    const buyer = await newBuyer(stage)
    const { answer, terms } = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    expect(terms).toMatchObject({
      scheme: 'exact',
      network: BASE,
      amount: '5000000',
      asset: stage.chain().usdc.toLowerCase(),
      payTo: escrow().toLowerCase(),
      maxTimeoutSeconds: 3600,
    })
    const header = readHeader(answer, 'payment-required')
    expect(header).toMatchObject({ x402Version: 2, accepts: [terms] })
    expect(await tasksOf(buyer.id)).toEqual([])
  })

  test('ends with the task open, funded and claimable, the money in escrow, and PAYMENT-RESPONSE', async () => {
    const buyer = await newBuyer(stage, { usdc: '7' })
    const before = await usdcOf(stage.chain(), escrow())
    const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const answer = await pay(stage, asked, await signPayment(stage, asked.terms, buyer.wallet))
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      status: 'open',
      payment_status: 'pending',
      claimable: true,
      settle_error: null,
    })
    const response = readHeader(answer, 'payment-response')
    expect(response).toMatchObject({ success: true, network: BASE, payer: buyer.wallet.address.toLowerCase() })
    const { task, payment } = await stage.client().tasks.get(String(answer.body.task_id))
    expect(task.escrow).toMatchObject({
      status: 'funded',
      leg: null,
      wallet: escrow().toLowerCase(),
      payer: buyer.wallet.address.toLowerCase(),
      deposit_tx_hash: response.transaction,
    })
    expect(payment).toMatchObject({ status: 'pending', verified: true, settled: false, settle_attempts: 1 })
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(2_000_000n)
    expect(await usdcOf(stage.chain(), escrow())).toBe(before + 5_000_000n)
    const { events } = await stage.client().tasks.payment(task.task_id)
    expect(events.map(({ event_type }) => event_type)).toEqual(['bounty_declared', 'authorized', 'escrow_funded'])
  })

  test('is what a stock x402 client speaks', async () => {
    const buyer = await newBuyer(stage)
    const client = new x402Client().register('eip155:*', new ExactEvmScheme(buyer.wallet))
    client.setSpendControls({ maxAmountPerPayment: '$10' })
    const paidFetch = wrapFetchWithPayment(fetch, client)
    const { path, headers, body } = signed(stage, buyer, 'POST', '/v1/tasks', withBounty)
    const answer = await paidFetch(`${stage.node().url}${path}`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ status: 'open', escrow: { status: 'funded' } })
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(95_000_000n)
  })

  test.each([
    ['base64url', (header: string) => Buffer.from(header, 'base64').toString('base64url')],
    ['raw JSON', (header: string) => Buffer.from(header, 'base64').toString('utf8')],
  ])('takes %s as well as base64', async (_, write) => {
    const buyer = await newBuyer(stage)
    const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const { header } = await signPayment(stage, asked.terms, buyer.wallet)
    expect((await pay(stage, asked, { header: write(header) })).status).toBe(200)
  })

  test('judges the paid request by its own body: another bounty is another price', async () => {
    const buyer = await newBuyer(stage)
    const { terms } = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const { header } = await signPayment(stage, terms, buyer.wallet)
    const dearer = signed(stage, buyer, 'POST', '/v1/tasks', { ...aTask, bounty: aBounty(6) })
    const answer = await send(stage, dearer, { headers: { 'PAYMENT-SIGNATURE': header } })
    expect(outcomeOf(answer)).toBe('402 payment_invalid')
    expect(answer.body).toMatchObject({ reason: 'amount_mismatch', expected: '6000000', got: '5000000' })
  })
})

describe('the deposit', () => {
  test.each([POLYGON, THIRD])('is paid on %s just so', async (network) => {
    const buyer = await newBuyer(stage, { network, usdc: '5' })
    const posted = await buyer.client.tasks.post({ ...aTask, bounty: aBounty(5, network) })
    expect(posted).toMatchObject({ claimable: true, bounty: { network, amount_display: '5.00' } })
    expect(await usdcOf(stage.chain(network), buyer.wallet.address)).toBe(0n)
  })

  test('is paid by a smart wallet that is deployed', async () => {
    const agent = await newAgent(stage)
    const wallet = await deployedWallet(stage.chain(), agent.wallet)
    await give(stage, wallet.address, '5')
    const asked = await askPrice(stage, agent, '/v1/tasks', withBounty)
    const answer = await pay(stage, asked, await signPayment(stage, asked.terms, wallet))
    expect(answer.body).toMatchObject({ claimable: true, escrow: { payer: wallet.address.toLowerCase() } })
  })

  test('is paid by a smart wallet that is made for the purpose (ERC-6492)', async () => {
    const agent = await newAgent(stage)
    const wallet = await undeployedWallet(stage.chain(), agent.wallet)
    await give(stage, wallet.address, '5')
    const asked = await askPrice(stage, agent, '/v1/tasks', withBounty)
    const answer = await pay(stage, asked, await signPayment(stage, asked.terms, wallet))
    expect(answer.body).toMatchObject({ claimable: true, escrow: { payer: wallet.address.toLowerCase() } })
  })
})

type Terms = Awaited<ReturnType<typeof askPrice>>['terms']
type Changes = Parameters<typeof signPayment>[3]

describe('a payment is refused with 402 payment_invalid, and nothing is charged:', () => {
  const seconds = (ahead: number) => BigInt(Math.floor(stage.now() / 1000) + ahead)
  const elsewhere = () => newWallet().address
  const cases: readonly { reason: string; what: string; changes: (terms: Terms) => Changes }[] = [
    { reason: 'recipient_mismatch', what: 'to somebody else', changes: () => ({ authorization: { to: elsewhere() } }) },
    {
      reason: 'recipient_mismatch',
      what: 'accepted for somebody else',
      changes: () => ({ accepted: { payTo: elsewhere() } }),
    },
    { reason: 'amount_mismatch', what: 'a unit too little', changes: () => ({ authorization: { value: 4_999_999n } }) },
    { reason: 'amount_mismatch', what: 'a unit too much', changes: () => ({ authorization: { value: 5_000_001n } }) },
    {
      reason: 'requirements_mismatch',
      what: 'on another network',
      changes: () => ({ accepted: { network: POLYGON } }),
    },
    {
      reason: 'requirements_mismatch',
      what: 'in another token',
      changes: () => ({ accepted: { asset: elsewhere() } }),
    },
    {
      reason: 'requirements_mismatch',
      what: 'under another scheme',
      changes: () => ({ accepted: { scheme: 'upto' } }),
    },
    {
      reason: 'not_yet_valid',
      what: 'valid only later',
      changes: () => ({ authorization: { validAfter: seconds(60) } }),
    },
    {
      reason: 'valid_before_out_of_range',
      what: 'running out',
      changes: () => ({ authorization: { validBefore: seconds(110) } }),
    },
    {
      reason: 'valid_before_out_of_range',
      what: 'valid for years',
      changes: () => ({ authorization: { validBefore: seconds(90_000) } }),
    },
    {
      reason: 'bad_signature',
      what: 'changed after signing',
      changes: () => ({ sent: { nonce: `0x${'7'.repeat(64)}` } }),
    },
    { reason: 'bad_signature', what: 'of another payer', changes: () => ({ sent: { from: elsewhere() } }) },
    { reason: 'bad_signature', what: 'for another domain', changes: () => ({ domain: { name: 'USD Coin' } }) },
  ]

  test.each(cases)('$reason, $what', async ({ reason, changes }) => {
    const buyer = await newBuyer(stage)
    const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const answer = await pay(stage, asked, await signPayment(stage, asked.terms, buyer.wallet, changes(asked.terms)))
    expect(outcomeOf(answer)).toBe('402 payment_invalid')
    expect(answer.body).toMatchObject({ reason, payment_requirements: [asked.terms], accepts: [asked.terms] })
    expect(answer.body).toHaveProperty('expected')
    expect(answer.body).toHaveProperty('got')
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
    expect(await tasksOf(buyer.id)).toEqual([])
  })

  test('already_used, an authorization that was carried out before we saw it: it credits nobody', async () => {
    const buyer = await newBuyer(stage)
    const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    await carryOut(stage.chain(), payment.authorization, payment.signature)
    const answer = await pay(stage, asked, payment)
    expect(outcomeOf(answer)).toBe('402 payment_invalid')
    expect(answer.body.reason).toBe('already_used')
    expect(await tasksOf(buyer.id)).toEqual([])
  })
})

describe('a bounty is refused', () => {
  test('when the wallet does not hold it: 402 insufficient_funds', async () => {
    const poor = await newAgent(stage)
    const asked = await askPrice(stage, poor, '/v1/tasks', withBounty)
    const answer = await pay(stage, asked, await signPayment(stage, asked.terms, poor.wallet))
    expect(outcomeOf(answer)).toBe('402 insufficient_funds')
    expect(await tasksOf(poor.id)).toEqual([])
  })

  test.each(['garbage', '{}', 'e30=', 'null', `{"x402Version":1}`])(
    'for the header %s: 400 payment_malformed',
    async (header) => {
      const buyer = await newBuyer(stage)
      const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
      const answer = await pay(stage, asked, { header })
      expect(outcomeOf(answer)).toBe('400 payment_malformed')
      expect(answer.body.payment_requirements).toEqual([asked.terms])
    },
  )

  test('when nothing is paid: 400 payment_malformed', async () => {
    const buyer = await newBuyer(stage)
    const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const nothing = await signPayment(stage, asked.terms, buyer.wallet, { authorization: { value: 0n } })
    expect(outcomeOf(await pay(stage, asked, nothing))).toBe('400 payment_malformed')
  })

  test('below the minimum, on testnets, on networks that are not served, and where escrow is a must', async () => {
    const { client } = await newBuyer(stage)
    const small = await refusalOf(
      client.tasks.post({ ...aTask, bounty: { amount: '99999', network: BASE } }),
      'bounty_below_minimum',
    )
    expect(small.fields).toMatchObject({ minimum_amount: '100000', minimum_usdc: '0.10' })
    const nothing = await refusalOf(
      client.tasks.post({ ...aTask, bounty: { amount: '0', network: BASE } }),
      'bounty_below_minimum',
    )
    expect(nothing.fields).toEqual(small.fields)
    for (const network of ['eip155:84532', SOLANA_DEVNET])
      await refusalOf(client.tasks.post({ ...aTask, bounty: aBounty(5, network) }), 'bounty_network_not_allowed')
    for (const network of [SOLANA_ID, 'bip122:000000000019d6689c085ae165831e93', 'eip155:99999999999'])
      await refusalOf(client.tasks.post({ ...aTask, bounty: aBounty(5, network) }), 'bounty_unsupported_network')
    for (const network of ['8453', 'eip155:', 'EIP155:8453'])
      await refusalOf(client.tasks.post({ ...aTask, bounty: aBounty(5, network) }), 'bad_request')
    const unserved = await refusalOf(
      client.tasks.post({ ...aTask, bounty: aBounty(5, 'eip155:10') }),
      'bounty_unsupported_network',
    )
    expect(unserved.fields.networks).toEqual([BASE, POLYGON, THIRD])
    await refusalOf(client.tasks.post({ ...aTask, bounty: aBounty(5, THIRD), escrow: false }), 'escrow_required')
  })

  test('with a payment where none is due: 400 payment_not_expected', async () => {
    const buyer = await newBuyer(stage)
    const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const { header } = await signPayment(stage, asked.terms, buyer.wallet)
    for (const body of [aTask, { ...withBounty, escrow: false }]) {
      const request = signed(stage, buyer, 'POST', '/v1/tasks', body)
      const answer = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': header } })
      expect(outcomeOf(answer)).toBe('400 payment_not_expected')
    }
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
  })
})

import { DAY, encodeWalletMessage, HOUR, type PaymentRequirements, SOLANA_ID } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { give, newWallet, newWorker } from './support/cast.ts'
import { usdcOf } from './support/chain-calls.ts'
import { hirePrice, newHirer, unsigned } from './support/hires.ts'
import { readHeader, type Signer, signPayment } from './support/payments.ts'
import { outcomeOf, type RawAnswer, send } from './support/raw.ts'
import { deployedWallet, type SmartWallet, undeployedWallet } from './support/smart-wallets.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage } from './support/stage.ts'
import { aDelivery, aTask, claimAndDeliver } from './support/tasks.ts'

const stage = setStage({ networks: ALL_NETWORKS })
const HIRE = '/v1/x402/tasks'
const USDC = 1_000_000n

async function pay(path: string, body: unknown, terms: PaymentRequirements, wallet: Signer): Promise<RawAnswer> {
  const { header } = await signPayment(stage, terms, wallet)
  return send(stage, unsigned(path, body), { headers: { 'PAYMENT-SIGNATURE': header } })
}

async function hireWith(wallet: Signer, path = `${HIRE}/usd-5`, body: object = aTask) {
  const { terms } = await hirePrice(stage, unsigned(path, body))
  const answer = await pay(path, body, terms, wallet)
  expect(outcomeOf(answer)).toBe('200')
  const { token } = answer.body.manage as { readonly token: string }
  return { answer, id: String(answer.body.task_id), token }
}

const manage = (id: string, action: string, headers: Readonly<Record<string, string>>, body: object = {}) =>
  action === 'read'
    ? send(stage, { method: 'GET', path: `${HIRE}/${id}`, headers: {}, body: null }, { headers })
    : send(stage, unsigned(`${HIRE}/${id}/${action}`, body), { headers })

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** As a wallet does that knows nothing: it asks, signs what it is told to, and asks again. */
async function signedFor(id: string, action: string, wallet: Pick<SmartWallet, 'signMessage'>, body: object = {}) {
  const asked = await manage(id, action, {}, body)
  expect([outcomeOf(asked), asked.headers.get('www-authenticate')]).toEqual(['401 auth_required', 'Bearer'])
  expect(asked.body).toMatchObject({ reason: 'no_proof', wallet: expect.any(String), send_headers: expect.anything() })
  const { sign_this: message, sign_this_hex: hex } = asked.body as Record<string, string>
  expect(hex).toBe(encodeWalletMessage(message ?? ''))
  const signature = await wallet.signMessage({ message: message ?? '' })
  return { 'X-Wallet-Message': hex ?? '', 'X-Wallet-Signature': signature }
}

const manageSigned = async (
  id: string,
  action: string,
  wallet: Pick<SmartWallet, 'signMessage'>,
  body: object = {},
): Promise<RawAnswer> => manage(id, action, await signedFor(id, action, wallet, body), body)

describe('the price', () => {
  test('is told by GET, with the networks in the order of the offer and one escrow wallet', async () => {
    const info = await stage.client().call('hireInfo')
    expect(info).toMatchObject({ escrow_available: true, networks: [BASE, POLYGON] })
    expect(info.endpoints.map(({ path }) => path)).toEqual([HIRE, `${HIRE}/usd-1`, `${HIRE}/usd-5`, `${HIRE}/usd-20`])
    expect(info.escrow_wallet).toMatch(/^0x[0-9a-f]{40}$/i)
  })

  test('of a hire with an empty body is the minimum bounty on every network, in body and header alike', async () => {
    const { answer } = await hirePrice(stage, unsigned(HIRE))
    const accepts = answer.body.accepts as PaymentRequirements[]
    expect(accepts.map(({ network, amount, scheme }) => [network, amount, scheme])).toEqual([
      [BASE, '100000', 'exact'],
      [POLYGON, '100000', 'exact'],
    ])
    expect(new Set(accepts.map(({ payTo }) => payTo)).size).toBe(1)
    expect(readHeader(answer, 'payment-required')).toMatchObject({ x402Version: 2, accepts })
  })

  test.each([
    ['usd-1', '1000000'],
    ['usd-5', '5000000'],
    ['usd-20', '20000000'],
  ])('of /%s is fixed', async (path, amount) => {
    const { terms } = await hirePrice(stage, unsigned(`${HIRE}/${path}`, aTask))
    expect(terms).toMatchObject({ amount, network: BASE })
  })

  test.each([
    [0.1, '100000'],
    ['2.5', '2500000'],
    [1000, '1000000000'],
  ])('of %j USDC is asked for to the unit', async (bounty_usdc, amount) => {
    const { terms } = await hirePrice(stage, unsigned(HIRE, { ...aTask, bounty_usdc }))
    expect(terms.amount).toBe(amount)
  })

  test.each([
    [0, '400 bounty_below_minimum'],
    [0.09, '400 bounty_below_minimum'],
    ['1000.000001', '400 bad_request'],
    ['1.0000001', '400 bad_request'],
    [-1, '400 bad_request'],
  ])('of %j USDC is refused', async (bounty_usdc, outcome) => {
    expect(outcomeOf(await send(stage, unsigned(HIRE, { ...aTask, bounty_usdc })))).toBe(outcome)
  })

  test('is asked for on one network where the body names it, and on no other than the two', async () => {
    const { answer } = await hirePrice(stage, unsigned(HIRE, { ...aTask, network: POLYGON }))
    expect(answer.body.accepts).toMatchObject([{ network: POLYGON }])
    const outcomeOn = async (network: string) => outcomeOf(await send(stage, unsigned(HIRE, { ...aTask, network })))
    expect(await outcomeOn('eip155:5042')).toBe('409 bounty_unsupported_network')
    expect(await outcomeOn(SOLANA_ID)).toBe('409 bounty_unsupported_network')
    expect(await outcomeOn('eip155:84532')).toBe('400 bounty_network_not_allowed')
    expect(await outcomeOn('base')).toBe('400 bad_request')
  })

  test.each([{}, null, [], { bounty_usdc: 5 }])(
    'of the body %j is not told: a body has title and description',
    async (body) => {
      expect(outcomeOf(await send(stage, unsigned(HIRE, body)))).toBe('400 bad_request')
    },
  )

  test.each(['eip155:84532', 'eip155:80002'])('is not asked for on the testnet %s', async (network) => {
    for (const path of [HIRE, `${HIRE}/usd-5`])
      expect(outcomeOf(await send(stage, unsigned(path, { ...aTask, network })))).toBe('400 bounty_network_not_allowed')
  })

  test('alone posts nothing, even when it is paid', async () => {
    const wallet = await newHirer(stage)
    const { terms } = await hirePrice(stage, unsigned(HIRE))
    expect(outcomeOf(await pay(HIRE, undefined, terms, wallet))).toBe('400 bad_request')
    expect(await usdcOf(stage.chain(), wallet.address)).toBe(100n * USDC)
  })
})

describe('a wallet that hires', () => {
  test('gets a task that is funded and open, its own, and a token that is shown once', async () => {
    const wallet = await newHirer(stage)
    const { answer, id, token } = await hireWith(wallet)
    const address = wallet.address.toLowerCase()
    expect(answer.body).toMatchObject({
      ok: true,
      status: 'open',
      payment_status: 'pending',
      claimable: true,
      bounty: { amount_atomic: '5000000', network: BASE },
      escrow: { status: 'funded', payer: address },
      poster: { kind: 'wallet', wallet: address },
    })
    expect(readHeader(answer, 'payment-response')).toMatchObject({ success: true })
    expect(token).toMatch(/^gmt_[A-Za-z0-9_-]{43}$/)
    const read = await manage(id, 'read', bearer(token))
    expect(read.body).toMatchObject({ ok: true, submission: null, task: { status: 'open', creator_kind: 'wallet' } })
    expect(JSON.stringify(read.body)).not.toContain(token)
    for (const creator of [wallet.address, wallet.address.toUpperCase().replace('0X', '0x')]) {
      const { tasks } = await stage.client().call('listTasks', { query: { creator } })
      expect(tasks.map(({ task_id }) => task_id)).toEqual([id])
    }
  })

  test('pays on the second network as well, and the worker is paid there', async () => {
    const [wallet, worker] = [newWallet(), await newWorker(stage)]
    await give(stage, wallet.address, '10', POLYGON)
    const { answer } = await hirePrice(stage, unsigned(`${HIRE}/usd-5`, aTask))
    const terms = (answer.body.accepts as PaymentRequirements[])[1]
    if (!terms) throw new Error('There is no second offer.')
    const hired = await pay(`${HIRE}/usd-5`, aTask, terms, wallet)
    expect(hired.body).toMatchObject({ bounty: { network: POLYGON }, escrow: { status: 'funded' } })
    const id = String(hired.body.task_id)
    await claimAndDeliver(worker, id)
    const { token } = hired.body.manage as { readonly token: string }
    expect((await manage(id, 'accept', bearer(token))).body).toMatchObject({ payment_status: 'settled' })
    expect(await usdcOf(stage.chain(POLYGON), worker.wallet.address)).toBe(5n * USDC)
  })

  test('shows its payment again and is told of its task, without the token', async () => {
    const wallet = await newHirer(stage)
    const { terms } = await hirePrice(stage, unsigned(HIRE, aTask))
    const { header } = await signPayment(stage, terms, wallet)
    const sent = () => send(stage, unsigned(HIRE, aTask), { headers: { 'PAYMENT-SIGNATURE': header } })
    const first = await sent()
    const again = await sent()
    expect(outcomeOf(again)).toBe('409 authorization_reused')
    expect(again.body.task_id).toBe(first.body.task_id)
    expect(JSON.stringify(again.body)).not.toContain('gmt_')
  })
})

describe('with its token a wallet', () => {
  test('asks for changes, disputes, and accepts: the worker is paid', async () => {
    const [wallet, worker] = [await newHirer(stage), await newWorker(stage)]
    const { id, token } = await hireWith(wallet)
    const call = (action: string, body?: object) => manage(id, action, bearer(token), body)
    await claimAndDeliver(worker, id)
    expect((await call('read')).body).toMatchObject({
      task: { status: 'submitted', submission_public: false },
      submission: { content: aDelivery.submission_content },
      receipts_count: 1,
    })
    const hidden = await stage.client().tasks.get(id)
    expect(hidden.submission).toBeNull()
    expect(outcomeOf(await call('revision'))).toBe('400 bad_request')
    expect((await call('revision', { note: 'Count further.' })).body).toMatchObject({
      ok: true,
      status: 'claimed',
      review_state: 'revision_requested',
      revision_count: 1,
    })
    await worker.client.tasks.deliver(id, aDelivery)
    expect(outcomeOf(await call('cancel'))).toBe('409 dispute_first')
    expect((await call('dispute', { reason: 'Still ten.', rating: 2 })).body).toMatchObject({
      status: 'submitted',
      review_state: 'disputed',
      rating: 2,
    })
    expect(outcomeOf(await call('dispute', { reason: 'Again.' }))).toBe('409 already_disputed')
    const paid = { ...bearer(token), 'PAYMENT-SIGNATURE': 'e30=' }
    expect(outcomeOf(await manage(id, 'accept', paid))).toBe('400 payment_not_expected')
    expect((await call('accept', { rating: 5 })).body).toMatchObject({
      status: 'verified',
      accepted_by: 'creator',
      payment_status: 'settled',
      rating: 5,
    })
    expect(outcomeOf(await call('cancel'))).toBe('409 already_accepted')
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5n * USDC)
    const submission = await send(stage, {
      method: 'GET',
      path: `${HIRE}/${id}/submission`,
      headers: bearer(token),
      body: null,
    })
    expect(submission.body).toMatchObject({ ok: true, submission: { task_id: id } })
    expect(submission.body.receipts).toHaveLength(2)
  })

  test.each(['open', 'claimed'] as const)(
    'cancels a task that is %s at any time and has its money back',
    async (state) => {
      const wallet = await newHirer(stage)
      const { id, token } = await hireWith(wallet)
      if (state === 'claimed') await (await newWorker(stage)).client.tasks.claim(id)
      expect((await manage(id, 'cancel', bearer(token), { reason: 'No need.' })).body).toMatchObject({
        status: 'cancelled',
        payment_status: 'refunded',
        escrow: { status: 'refunded' },
      })
      expect(await usdcOf(stage.chain(), wallet.address)).toBe(100n * USDC)
    },
  )

  test('leaves a delivery unreviewed, and it is accepted after seven days', async () => {
    const [wallet, worker] = [await newHirer(stage), await newWorker(stage)]
    const { id } = await hireWith(wallet)
    await claimAndDeliver(worker, id)
    await stage.travel(7 * DAY)
    expect((await stage.client().tasks.get(id)).task).toMatchObject({ status: 'verified', accepted_by: 'auto' })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5n * USDC)
  })
})

test('a hire whose payment never settles takes nothing, is claimed by nobody, and can be cancelled', async () => {
  const wallet = await newHirer(stage)
  await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
  const { answer, id, token } = await hireWith(wallet)
  expect(answer.body).toMatchObject({ status: 'open', claimable: false, escrow: { status: 'funding' } })
  expect(outcomeOf(await manage(id, 'cancel', bearer(token)))).toBe('409 payment_in_flight')
  await stage.travel(2 * HOUR)
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  const view = await stage.client().tasks.payment(id)
  expect(view).toMatchObject({
    payment: { status: 'expired', escrow: { status: 'unfunded' } },
    requirements: null,
    requirements_unavailable_reason: 'escrow_unavailable',
    payment_required: null,
  })
  expect(view).not.toHaveProperty('fund_endpoint')
  expect((await manage(id, 'cancel', bearer(token))).body).toMatchObject({ status: 'cancelled' })
  expect(await usdcOf(stage.chain(), wallet.address)).toBe(100n * USDC)
})

describe('without its token a wallet signs each action:', () => {
  const kinds: readonly [string, () => Promise<Signer & SmartWallet>][] = [
    ['a plain key', () => newHirer(stage)],
    [
      'a smart wallet that is deployed (ERC-1271)',
      async () => funded(await deployedWallet(stage.chain(), newWallet())),
    ],
    ['a smart wallet to be (ERC-6492)', async () => funded(await undeployedWallet(stage.chain(), newWallet()))],
  ]

  async function funded(wallet: SmartWallet): Promise<SmartWallet> {
    await give(stage, wallet.address, '100')
    return wallet
  }

  test.each(kinds)('%s', async (_kind, wallet) => {
    const [hirer, worker] = [await wallet(), await newWorker(stage)]
    const { id } = await hireWith(hirer)
    expect((await manageSigned(id, 'read', hirer)).body).toMatchObject({ task: { status: 'open' } })
    await claimAndDeliver(worker, id)
    const revision = await manageSigned(id, 'revision', hirer, { note: 'Once more.' })
    expect(revision.body).toMatchObject({ status: 'claimed' })
    await worker.client.tasks.deliver(id, aDelivery)
    const dispute = { reason: 'I have doubts.' }
    const headers = await signedFor(id, 'dispute', hirer, dispute)
    expect((await manage(id, 'dispute', headers, dispute)).body).toMatchObject({ review_state: 'disputed' })
    expect(outcomeOf(await manage(id, 'accept', headers))).toBe('401 wallet_proof_invalid')
    expect((await manageSigned(id, 'accept', hirer)).body).toMatchObject({ status: 'verified' })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5n * USDC)
  })

  test('a signature of another wallet opens nothing', async () => {
    const { id } = await hireWith(await newHirer(stage))
    const answer = await manageSigned(id, 'cancel', newWallet())
    expect(outcomeOf(answer)).toBe('401 wallet_proof_invalid')
    expect(answer.body).toMatchObject({ reason: 'bad_signature', send_headers: expect.anything() })
  })
})

test('a client without an agent hires, reads and decides: by the manage token, and by the wallet when that is lost', async () => {
  const [wallet, worker] = [await newHirer(stage), await newWorker(stage)]
  const { hires } = stage.client({ wallet, maxUsdc: '5' })
  const hired = await hires.post({ title: 'Count', description: 'To ten.', bounty_usdc: '5' })
  await claimAndDeliver(worker, hired.task_id)
  const byToken = hires.manage(hired.task_id, hired.manage.token)
  expect(await byToken.get()).toMatchObject({ task: { status: 'submitted' } })
  expect(await byToken.revision({ note: 'Once more.' })).toMatchObject({ status: 'claimed' })
  await worker.client.tasks.deliver(hired.task_id, aDelivery)
  const byWallet = hires.manage(hired.task_id, wallet)
  expect(await byWallet.submission()).toMatchObject({ receipts: [{}, {}] })
  expect(await byWallet.accept({ rating: 5 })).toMatchObject({ status: 'verified', rating: 5 })
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5n * USDC)
})

test('a client with a clock of its own hires after the service’s was moved: every answer bears the service’s time', async () => {
  await stage.travel(3 * HOUR)
  const wallet = await newHirer(stage)
  const client = stage.client({ clock: Date.now, wallet, maxUsdc: '5' })
  expect(await client.call('hireUsd5', { body: { title: 'Count', description: 'To ten.' } })).toMatchObject({
    ok: true,
    claimable: true,
  })
  const { headers } = await fetch(`${stage.node().url}/v1/health`)
  expect(Math.abs(Date.parse(headers.get('date') ?? '') - stage.now())).toBeLessThan(60_000)
})

import { randomUUID } from 'node:crypto'
import { limits } from '@guildhall/protocol'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { Client } from 'pg'
import type { PrivateKeyAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { newWorker } from './support/cast.ts'
import { timesPaid } from './support/chain-calls.ts'
import { collected } from './support/collected.ts'
import { hirePrice, identified, newHirer, unsigned } from './support/hires.ts'
import { readHeader, signPayment } from './support/payments.ts'
import { outcomeOf, type RawAnswer, send } from './support/raw.ts'
import { ALL_NETWORKS, setStage } from './support/stage.ts'
import { aTask, claimAndDeliver } from './support/tasks.ts'

const stage = setStage({ nodes: 2, networks: ALL_NETWORKS })
const HIRE = '/v1/x402/tasks'

const tokenOf = ({ body }: RawAnswer) => (body.manage as { readonly token: string }).token
const isReplay = (answer: RawAnswer) => answer.headers.get('idempotent-replayed') === 'true'
const tasksOf = (wallet: PrivateKeyAccount) =>
  collected(stage.client().tasks.list({ creator: wallet.address, status: 'all' }))

/** A wallet, and a payment that it signed for a hire. */
async function signedHire(path = `${HIRE}/usd-1`) {
  const wallet = await newHirer(stage)
  const { terms } = await hirePrice(stage, unsigned(path, aTask))
  const sign = async () => (await signPayment(stage, terms, wallet)).header
  return { wallet, sign, header: await sign() }
}

const hire = (header: string, more: Readonly<Record<string, string>> = {}, body: unknown = aTask, node = 0) =>
  send(stage, unsigned(`${HIRE}/usd-1`, body), { headers: { 'PAYMENT-SIGNATURE': header, ...more }, node })

describe('the 402 of a hire', () => {
  test.each([
    [`${HIRE}/usd-1`, aTask],
    [`${HIRE}/usd-20`, aTask],
    [HIRE, { ...aTask, bounty_usdc: 1000 }],
    [HIRE, undefined],
  ])('offers a payment identifier and tells catalogues how to call %s, in less than 4 KB', async (path, body) => {
    const { answer } = await hirePrice(stage, unsigned(path, body))
    const header = answer.headers.get('payment-required') ?? ''
    expect(header.length).toBeGreaterThan(1_000)
    expect(header.length).toBeLessThan(4_096)
    const { extensions, accepts } = readHeader(answer, 'payment-required')
    expect(accepts).toHaveLength(2)
    expect(answer.body.extensions).toEqual(extensions)
    expect(extensions).toMatchObject({
      'payment-identifier': { info: { required: false }, schema: { properties: { id: { minLength: 16 } } } },
      bazaar: {
        info: { input: { type: 'http', method: 'POST', bodyType: 'json', body: { title: expect.any(String) } } },
        schema: { properties: { input: { properties: { body: { required: ['title', 'description'] } } } } },
      },
    })
  })

  test('is paid by a stock client that sends everything back', async () => {
    const wallet = await newHirer(stage)
    const answer = await stockFetch(wallet)(`${stage.node().url}${HIRE}/usd-1`, hiring())
    expect(answer.status).toBe(200)
    expect(await tasksOf(wallet)).toHaveLength(1)
  })
})

describe('a payment with an identifier', () => {
  test('shown again gets the first answer, manage token and PAYMENT-RESPONSE included', async () => {
    const { wallet, header } = await signedHire()
    const payment = identified(header, `pay_${randomUUID()}`)
    const first = await hire(payment)
    expect(outcomeOf(first)).toBe('200')
    for (const node of [0, 1]) {
      const again = await hire(payment, {}, aTask, node)
      expect(isReplay(again)).toBe(true)
      expect(again.body).toEqual(first.body)
      expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'))
    }
    expect(await timesPaid(stage.chain(), wallet.address)).toBe(1)
    expect(await tasksOf(wallet)).toHaveLength(1)
  })

  test('is 409 when the same id comes with another payment, another body or at another price', async () => {
    const { wallet, sign, header } = await signedHire()
    const id = `pay_${randomUUID()}`
    await hire(identified(header, id))
    const other = identified(await sign(), id)
    expect(outcomeOf(await hire(other))).toBe('409 payment_identifier_reused')
    expect(outcomeOf(await hire(identified(header, id), {}, { ...aTask, title: 'Another' }))).toBe(
      '409 payment_identifier_reused',
    )
    const dearer = await send(stage, unsigned(`${HIRE}/usd-5`, aTask), { headers: { 'PAYMENT-SIGNATURE': other } })
    expect(outcomeOf(dearer)).toBe('409 payment_identifier_reused')
    expect(await timesPaid(stage.chain(), wallet.address)).toBe(1)
  })

  test('of another wallet is another identifier', async () => {
    const id = `pay_${randomUUID()}`
    for (const { header } of [await signedHire(), await signedHire()]) {
      const answer = await hire(identified(header, id))
      expect([outcomeOf(answer), isReplay(answer)]).toEqual(['200', false])
    }
  })

  test.each(['x'.repeat(15), 'x'.repeat(129), 'with a space in it', 16])('is 400 when its id is %j', async (id) => {
    const { wallet, header } = await signedHire()
    expect(outcomeOf(await hire(identified(header, id)))).toBe('400 bad_request')
    expect(await timesPaid(stage.chain(), wallet.address)).toBe(0)
  })

  test('is like any other when the offer of an id is merely sent back', async () => {
    const { header } = await signedHire()
    const payment = identified(header, undefined)
    expect(outcomeOf(await hire(payment))).toBe('200')
    expect(outcomeOf(await hire(payment))).toBe('409 authorization_reused')
  })
})

describe('a hire under an Idempotency-Key', () => {
  test('gives the same manage token again, but only to a caller with the key', async () => {
    const { header } = await signedHire()
    const key = randomUUID()
    const first = await hire(header, { 'Idempotency-Key': key })
    const again = await hire(header, { 'Idempotency-Key': key })
    expect(isReplay(again)).toBe(true)
    expect(tokenOf(again)).toBe(tokenOf(first))
    for (const more of [{}, { 'Idempotency-Key': randomUUID() }]) {
      const stranger = await hire(header, more)
      expect(outcomeOf(stranger)).toBe('409 authorization_reused')
      expect(JSON.stringify(stranger.body)).not.toContain('gmt_')
    }
  })

  test.each<[string, (payload: ForgedPayload) => void]>([
    ['a signature of nobody', (payload) => (payload.signature = `0x${'11'.repeat(65)}`)],
    ['no amount to speak of', ({ authorization }) => (authorization.value = '1')],
    ['another payee', ({ authorization }) => (authorization.to = `0x${'00'.repeat(20)}`)],
    ['another time', ({ authorization }) => (authorization.validBefore = '1')],
  ])('is not repeated to a caller that shows its authorization with %s', async (_what, forge) => {
    const { header } = await signedHire()
    const key = { 'Idempotency-Key': randomUUID() }
    expect(outcomeOf(await hire(header, key))).toBe('200')
    const named = identified((await signedHire()).header, `pay_${randomUUID()}`)
    expect(outcomeOf(await hire(named))).toBe('200')
    const stolen = [await hire(forged(header, forge), key), await hire(forged(named, forge))]
    expect(stolen.map(outcomeOf)).toEqual(['422 idempotency_key_reused', '409 payment_identifier_reused'])
    expect(JSON.stringify(stolen.map(({ body }) => body))).not.toContain('gmt_')
  })

  test('is repeated to nobody once twenty keys have been tried with its payment', async () => {
    const { header } = await signedHire()
    const key = { 'Idempotency-Key': 'order-0021' }
    const { task_id } = (await hire(header, key)).body
    for (let nr = 1; nr <= 19; nr++) {
      const guess = await hire(header, { 'Idempotency-Key': `order-${String(nr).padStart(4, '0')}` }, aTask, nr % 2)
      expect(outcomeOf(guess)).toBe('409 authorization_reused')
    }
    expect(isReplay(await hire(header, key))).toBe(true)
    const last = await hire(header, key)
    expect([outcomeOf(last), last.body.task_id]).toEqual(['409 authorization_reused', task_id])
    expect(JSON.stringify(last.body)).not.toContain('gmt_')
  })

  test('gives the same manage token again, however often it was sent while it could not be paid', async () => {
    const { header } = await signedHire()
    const key = { 'Idempotency-Key': randomUUID() }
    await stage.client().sandbox.setFaults({ facilitator: 'down' })
    for (let nr = 0; nr <= limits.idempotencyKey.triesPerPayment; nr++)
      expect(outcomeOf(await hire(header, key, aTask, nr % 2))).toBe('503 facilitator_unavailable')
    await stage.client().sandbox.setFaults({ facilitator: 'ok' })
    const first = await hire(header, key)
    const again = await hire(header, key)
    expect([outcomeOf(first), outcomeOf(again), isReplay(again)]).toEqual(['200', '200', true])
    expect(tokenOf(again)).toBe(tokenOf(first))
  })

  test('leaves neither key nor token in the database', async () => {
    const { header } = await signedHire()
    const key = randomUUID()
    const token = tokenOf(await hire(header, { 'Idempotency-Key': key }))
    const stored = await everythingStored()
    expect(stored.length).toBeGreaterThan(10_000)
    for (const secret of [key, token]) {
      for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')])
        expect(stored.includes(form)).toBe(false)
    }
  })

  test('is not paid twice by a stock client that starts all over', async () => {
    const wallet = await newHirer(stage)
    const pay = stockFetch(wallet)
    const headers = { 'Idempotency-Key': randomUUID() }
    const first = await pay(`${stage.node().url}${HIRE}/usd-1`, hiring(headers))
    const second = await pay(`${stage.node().url}${HIRE}/usd-1`, hiring(headers))
    expect([first.status, second.status]).toEqual([200, 422])
    expect(await timesPaid(stage.chain(), wallet.address)).toBe(1)
  })
})

describe('managing a hire under an Idempotency-Key', () => {
  test('needs the token for the repeat as for the first request', async () => {
    const { header } = await signedHire()
    const hired = await hire(header)
    const id = String(hired.body.task_id)
    await claimAndDeliver(await newWorker(stage), id)
    const key = { 'Idempotency-Key': randomUUID() }
    const accept = (more: Readonly<Record<string, string>>) =>
      send(stage, unsigned(`${HIRE}/${id}/accept`), { headers: { ...key, ...more } })
    const token = { Authorization: `Bearer ${tokenOf(hired)}` }

    const first = await accept(token)
    expect(first.body).toMatchObject({ status: 'verified', payment_status: 'settled' })
    const again = await accept(token)
    expect(isReplay(again)).toBe(true)
    expect(again.body).toEqual(first.body)
    expect(outcomeOf(await accept({}))).toBe('401 auth_required')
    expect(outcomeOf(await accept({ Authorization: `Bearer gmt_${'A'.repeat(43)}` }))).toBe('401 invalid_token')
  })

  test('works with a wallet that signs each time anew', async () => {
    const { wallet, header } = await signedHire()
    const hired = await hire(header)
    const path = `${HIRE}/${hired.body.task_id}/cancel`
    const key = { 'Idempotency-Key': randomUUID() }
    const cancel = async () => {
      const asked = await send(stage, unsigned(path))
      const message = String(asked.body.sign_this)
      const signature = await wallet.signMessage({ message })
      const proof = { 'X-Wallet-Message': String(asked.body.sign_this_hex), 'X-Wallet-Signature': signature }
      return send(stage, unsigned(path), { headers: { ...key, ...proof } })
    }
    const first = await cancel()
    expect(first.body).toMatchObject({ status: 'cancelled', payment_status: 'refunded' })
    const again = await cancel()
    expect(isReplay(again)).toBe(true)
    expect(again.body).toEqual(first.body)
  })
})

type ForgedPayload = { signature: string; authorization: Record<string, string> }

/** The payment as somebody shows it who did not sign it. */
function forged(header: string, forge: (payload: ForgedPayload) => void): string {
  const payment = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  forge(payment.payload)
  return Buffer.from(JSON.stringify(payment)).toString('base64')
}

function stockFetch(wallet: PrivateKeyAccount) {
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(wallet))
  client.setSpendControls({ maxAmountPerPayment: '$10' })
  return wrapFetchWithPayment(fetch, client)
}

const hiring = (headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(aTask),
})

/** Every row of every table as text. */
async function everythingStored(): Promise<string> {
  const sql = new Client({ connectionString: stage.databaseUrl })
  await sql.connect()
  const tables = await sql.query(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const texts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql.query(`select t::text as row from ${name} t`)
    texts.push(...rows.map(({ row }) => String(row)))
  }
  await sql.end()
  return texts.join('\n')
}

import { randomUUID } from 'node:crypto'
import {
  encodePublicKey,
  generateKey,
  limits,
  publicKeyOf,
  SECOND,
  signText,
  solveProofOfWork,
} from '@guildhall/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { newAgent, newBuyer, type Player } from './support/cast.ts'
import { timesPaid } from './support/chain-calls.ts'
import { collected } from './support/collected.ts'
import { hirePrice, newHirer, unsigned } from './support/hires.ts'
import { type NodeProcess, startNodeProcess } from './support/node-process.ts'
import { askPrice, signPayment } from './support/payments.ts'
import { outcomeOf, type RawRequest, send, signed } from './support/raw.ts'
import { setStage } from './support/stage.ts'
import { aBounty, aTask } from './support/tasks.ts'

const stage = setStage()
const SETTLE_IN_REQUEST = 2 * SECOND
const LEASE = limits.idempotencyKey.leaseMs + SETTLE_IN_REQUEST
const withBounty = { ...aTask, bounty: aBounty() }

let doomed: NodeProcess | null = null
afterEach(async () => {
  await doomed?.stop()
  doomed = null
})

/** Sends a request to a node that dies at the named place while it carries it out. */
async function sendToDoomed(place: string, { method, path, headers, body }: RawRequest, more: object): Promise<void> {
  doomed = await startNodeProcess(stage, {
    GUILDHALL_FAILPOINT: place,
    GUILDHALL_SETTLE_IN_REQUEST_MS: String(SETTLE_IN_REQUEST),
  })
  const answer = fetch(`${doomed.url}${path}`, { method, headers: { ...headers, ...more }, body })
  await expect(answer).rejects.toThrow()
  expect(await doomed.died).toBe('SIGKILL')
}

const post = (player: Player, body: unknown) =>
  signed(stage, player, 'POST', '/v1/tasks', body, { nonce: randomUUID() })
const tasksOf = (creator: string) => collected(stage.client().tasks.list({ creator, status: 'all' }))

describe('a node dies while it holds a key', () => {
  test('after the change, before its answer is kept: the change is never made twice', async () => {
    const poster = await newAgent(stage)
    const key = { 'Idempotency-Key': randomUUID() }
    await sendToDoomed('answer: made', post(poster, aTask), key)
    const again = async () => outcomeOf(await send(stage, post(poster, aTask), { headers: key }))
    expect(await again()).toBe('409 idempotency_in_progress')
    await stage.travel(LEASE + SECOND)
    expect(await again()).toBe('409 idempotency_answer_lost')
    const other = await send(stage, post(poster, { ...aTask, title: 'Another' }), { headers: key })
    expect(outcomeOf(other)).toBe('422 idempotency_key_reused')
    expect(await tasksOf(poster.id)).toHaveLength(1)
  })

  test('after a registration: the agent is there, and the repeat is told so, not that its challenge is used', async () => {
    const { secretKey } = generateKey()
    const name = `agent ${randomUUID()}`
    const publicKey = publicKeyOf(secretKey)
    const public_key = encodePublicKey(publicKey)
    const init = await stage.client().call('registerInit', { body: { public_key } })
    const request = unsigned('/v1/register/complete', {
      challenge_id: init.challenge_id,
      public_key,
      nonce: await solveProofOfWork(publicKey, init.difficulty),
      signature: signText(secretKey, init.challenge),
      profile: { name, description: 'Counts.', capabilities: ['counting'] },
    })
    const key = { 'Idempotency-Key': randomUUID() }
    await sendToDoomed('answer: made', request, key)
    const again = async () => outcomeOf(await send(stage, request, { headers: key }))
    expect(await again()).toBe('409 idempotency_in_progress')
    await stage.travel(LEASE + SECOND)
    expect(await again()).toBe('409 idempotency_answer_lost')
    expect(await stage.client().agents.get(name)).toMatchObject({ public_key })
  })

  test('before the change: the key is free again when its lease is over', async () => {
    const buyer = await newBuyer(stage)
    const { terms } = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const { header } = await signPayment(stage, terms, buyer.wallet)
    const paid = { 'Idempotency-Key': randomUUID(), 'PAYMENT-SIGNATURE': header }
    await sendToDoomed('deposit: verified', post(buyer, withBounty), paid)
    const again = async () => outcomeOf(await send(stage, post(buyer, withBounty), { headers: paid }))
    expect(await again()).toBe('409 idempotency_in_progress')
    await stage.travel(LEASE + SECOND)
    expect(await again()).toBe('200')
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  })

  test('after a payment was taken: the payment shown again names its task, and no other one is let in', async () => {
    const buyer = await newBuyer(stage)
    const { terms } = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const key = { 'Idempotency-Key': randomUUID() }
    const sign = async () => ({ ...key, 'PAYMENT-SIGNATURE': (await signPayment(stage, terms, buyer.wallet)).header })
    const paid = await sign()
    await sendToDoomed('deposit: committed', post(buyer, withBounty), paid)
    await stage.travel(LEASE + SECOND)
    const [task] = await tasksOf(buyer.id)
    const again = await send(stage, post(buyer, withBounty), { headers: paid })
    expect(outcomeOf(again)).toBe('409 authorization_reused')
    expect(again.body.task_id).toBe(task?.task_id)
    expect(outcomeOf(await send(stage, post(buyer, withBounty), { headers: key }))).toBe('409 idempotency_answer_lost')
    const second = await send(stage, post(buyer, withBounty), { headers: await sign() })
    expect(outcomeOf(second)).toBe('422 idempotency_key_reused')
    expect(await tasksOf(buyer.id)).toHaveLength(1)
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  })

  test('after a wallet hired: a second payment under the same key is refused, not charged', async () => {
    const wallet = await newHirer(stage)
    const request = unsigned('/v1/x402/tasks/usd-1', aTask)
    const { terms } = await hirePrice(stage, request)
    const key = { 'Idempotency-Key': randomUUID() }
    const sign = async () => ({ ...key, 'PAYMENT-SIGNATURE': (await signPayment(stage, terms, wallet)).header })
    const paid = await sign()
    await sendToDoomed('deposit: committed', request, paid)
    await stage.travel(LEASE + SECOND)
    expect(outcomeOf(await send(stage, request, { headers: paid }))).toBe('409 authorization_reused')
    expect(outcomeOf(await send(stage, request, { headers: await sign() }))).toBe('422 idempotency_key_reused')
    expect(await tasksOf(wallet.address)).toHaveLength(1)
    expect(await timesPaid(stage.chain(), wallet.address)).toBe(1)
  })
})

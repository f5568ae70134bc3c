import { randomUUID } from 'node:crypto'
import { encodeWalletMessage, MINUTE, type TaskAction, taskActionMessage } from '@guildhall/protocol'
import type { PrivateKeyAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { newWallet, newWorker } from '../support/cast.ts'
import { usdcOf } from '../support/chain-calls.ts'
import { hirePrice, newHirer, unsigned } from '../support/hires.ts'
import { signPayment } from '../support/payments.ts'
import { outcomeOf, type RawAnswer, send } from '../support/raw.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage } from '../support/stage.ts'
import { aTask, claimAndDeliver } from '../support/tasks.ts'
import { watchRows } from './untouched.ts'

const stage = setStage({ nodes: 2, networks: ALL_NETWORKS })
const rows = watchRows(stage)
const USD1 = '/v1/x402/tasks/usd-1'

type Hire = {
  readonly id: string
  readonly token: string
  readonly wallet: PrivateKeyAccount
  readonly answer: RawAnswer
}

async function newHire(): Promise<Hire> {
  const wallet = await newHirer(stage)
  const { terms } = await hirePrice(stage, unsigned(USD1, aTask))
  const { header } = await signPayment(stage, terms, wallet)
  const answer = await send(stage, unsigned(USD1, aTask), { headers: { 'PAYMENT-SIGNATURE': header } })
  const { token } = answer.body.manage as { readonly token: string }
  return { id: String(answer.body.task_id), token, wallet, answer }
}

let hire: Hire
let other: Hire
beforeAll(async () => {
  hire = await newHire()
  other = await newHire()
  await stage.runDue()
})

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

type Changes = {
  readonly task?: string
  readonly action?: TaskAction
  readonly wallet?: PrivateKeyAccount
  readonly signer?: PrivateKeyAccount
  readonly network?: string
  readonly issuedAgoMs?: number
  readonly nonce?: string
  readonly serviceName?: string
}

/** The headers of a wallet that signs for the hire, with what a test wants to see refused. */
async function walletHeaders(action: TaskAction, changes: Changes = {}): Promise<Readonly<Record<string, string>>> {
  const wallet = changes.wallet ?? hire.wallet
  const message = taskActionMessage(changes.serviceName ?? 'Guildhall', {
    taskId: changes.task ?? hire.id,
    action: changes.action ?? action,
    wallet: wallet.address.toLowerCase(),
    network: changes.network ?? BASE,
    issuedAt: Math.floor((stage.now() - (changes.issuedAgoMs ?? 0)) / 1000),
    nonce: changes.nonce ?? randomUUID(),
  })
  const signature = await (changes.signer ?? wallet).signMessage({ message })
  return { 'X-Wallet-Message': encodeWalletMessage(message), 'X-Wallet-Signature': signature }
}

const call = (path: string, headers: Readonly<Record<string, string>>, node = 0) =>
  send(stage, unsigned(path, {}), { headers, node })
const cancel = (headers: Readonly<Record<string, string>>) => call(`/v1/x402/tasks/${hire.id}/cancel`, headers)

test('the answer with the token is stored by nobody, and the token is 32 random bytes', () => {
  expect(hire.answer.headers.get('cache-control')).toContain('no-store')
  expect(hire.token).toMatch(/^gmt_[A-Za-z0-9_-]{43}$/)
})

describe('a token opens its own task, as it was shown:', () => {
  const tokens: readonly (readonly [what: string, headers: () => Readonly<Record<string, string>>])[] = [
    ['not that of another task', () => bearer(other.token)],
    ['not one that is cut short', () => bearer(hire.token.slice(0, -1))],
    ['not one in other letters', () => bearer(hire.token.toUpperCase())],
    ['not one with something behind it', () => bearer(`${hire.token}=`)],
    ['not one without its beginning', () => bearer(hire.token.slice(4))],
    ['not an empty one', () => ({ Authorization: 'Bearer ' })],
    ['not two', () => bearer(`${hire.token} ${hire.token}`)],
    ['not under another scheme', () => ({ Authorization: `Basic ${hire.token}` })],
  ]
  test('under a scheme in any case of letters', async () => {
    const request = { method: 'GET', path: `/v1/x402/tasks/${hire.id}`, body: null }
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await send(stage, { ...request, headers: { Authorization: `${scheme} ${hire.token}` } })).status).toBe(
        200,
      )
  })

  test.each(tokens)('%s', async (_what, headers) => {
    const before = await rows.look()
    expect(outcomeOf(await cancel(headers()))).toBe('401 invalid_token')
    expect(await rows.look()).toBe(before)
  })

  test('not in the address', async () => {
    for (const name of ['token', 'manage_token', 'access_token']) {
      const answer = await call(`/v1/x402/tasks/${hire.id}/cancel?${name}=${hire.token}`, {})
      expect(outcomeOf(answer)).toBe('401 auth_required')
    }
  })

  test('and a call without any is told what to sign, which gives nothing away but what was asked for', async () => {
    const { body } = await cancel({})
    const lines = String(body.sign_this).split('\n')
    expect(lines.slice(0, 5)).toEqual([
      'Guildhall task action',
      `Task: ${hire.id}`,
      'Action: cancel',
      `Wallet: ${hire.wallet.address.toLowerCase()}`,
      `Network: ${BASE}`,
    ])
    expect(JSON.stringify(body)).not.toContain(aTask.title)
  })
})

describe('a wallet’s signature opens what it says:', () => {
  const cases: readonly (readonly [what: string, reason: string, changes: () => Changes])[] = [
    ['another wallet', 'address_mismatch', () => ({ wallet: newWallet() })],
    ['the right wallet named, another key', 'bad_signature', () => ({ signer: newWallet() })],
    ['another task', 'task_mismatch', () => ({ task: other.id })],
    ['another action', 'action_mismatch', () => ({ action: 'read' })],
    ['another network', 'network_mismatch', () => ({ network: POLYGON })],
    ['another service', 'malformed_message', () => ({ serviceName: 'Guildhall Staging' })],
    ['a quarter of an hour ago and a second', 'expired', () => ({ issuedAgoMs: 15 * MINUTE + 2_000 })],
    ['from the future', 'issued_in_future', () => ({ issuedAgoMs: -10 * MINUTE })],
    ['a short nonce', 'malformed_message', () => ({ nonce: '1234567' })],
  ]
  test.each(cases)('not for %s', async (_what, reason, changes) => {
    const before = await rows.look()
    const answer = await cancel(await walletHeaders('cancel', changes()))
    expect(`${outcomeOf(answer)} ${answer.body.reason}`).toBe(`401 wallet_proof_invalid ${reason}`)
    expect(await rows.look()).toBe(before)
  })

  test('not when token and signature disagree, whichever of them is right', async () => {
    const right = await walletHeaders('cancel')
    const wrong = await walletHeaders('cancel', { wallet: other.wallet })
    expect((await cancel({ ...right, ...bearer(other.token) })).status).toBe(401)
    expect((await cancel({ ...wrong, ...bearer(hire.token) })).status).toBe(401)
  })

  test('not when half of it is missing', async () => {
    const headers = await walletHeaders('cancel')
    for (const name of ['X-Wallet-Message', 'X-Wallet-Signature']) {
      expect(outcomeOf(await cancel({ [name]: headers[name] ?? '' }))).toBe('401 wallet_proof_invalid')
    }
  })
})

test('a signed action counts once, at both nodes together; a refused one is not used up', async () => {
  const [mine, worker] = [await newHire(), await newWorker(stage)]
  const headers = await walletHeaders('cancel', { task: mine.id, wallet: mine.wallet })
  const path = `/v1/x402/tasks/${mine.id}/cancel`
  await claimAndDeliver(worker, mine.id)
  expect(outcomeOf(await call(path, headers))).toBe('409 dispute_first')
  const dispute = { task: mine.id, wallet: mine.wallet }
  const reason = unsigned(`/v1/x402/tasks/${mine.id}/dispute`, { reason: 'No.' })
  expect(outcomeOf(await send(stage, reason, { headers: await walletHeaders('dispute', dispute) }))).toBe('200')
  const outcomes = await Promise.all([0, 1, 0, 1].map((node) => call(path, headers, node)))
  expect(outcomes.map(outcomeOf).sort()).toEqual(['200', ...Array.from({ length: 3 }, () => '401 wallet_proof_reused')])
  const [refused] = outcomes.filter(({ status }) => status === 401)
  expect(refused?.body).toMatchObject({ reason: 'nonce_used', sign_this: expect.any(String) })
  await stage.runDue()
  expect(await usdcOf(stage.chain(), mine.wallet.address)).toBe(100_000_000n)
})

test('a signed acceptance counts once too, although accepting again changes nothing more', async () => {
  const [mine, worker] = [await newHire(), await newWorker(stage)]
  await claimAndDeliver(worker, mine.id)
  const acceptance = () => walletHeaders('accept', { task: mine.id, wallet: mine.wallet })
  const path = `/v1/x402/tasks/${mine.id}/accept`
  const headers = await acceptance()
  expect(outcomeOf(await call(path, headers))).toBe('200')
  expect(outcomeOf(await call(path, headers))).toBe('401 wallet_proof_reused')
  expect(outcomeOf(await call(path, await acceptance()))).toBe('200')
})

test('what an agent posted is not managed here, with whatever proof', async () => {
  const worker = await newWorker(stage)
  const { task_id: id } = await worker.client.tasks.post(aTask)
  const answer = await call(`/v1/x402/tasks/${id}/cancel`, bearer(hire.token))
  expect(outcomeOf(answer)).toBe('404 not_found')
})

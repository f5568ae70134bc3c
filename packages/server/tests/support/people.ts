import { randomBytes, randomUUID } from 'node:crypto'
import { DAY, type PaymentRequirements, SESSION_COOKIE } from '@guildhall/protocol'
import type { Body } from '@guildhall/sdk'
import type { PrivateKeyAccount } from 'viem/accounts'
import { newId } from '../../src/actions/new-id.ts'
import { csrfTokenOf, sessionHash } from '../../src/http/session-cookie.ts'
import { give, newWallet } from './cast.ts'
import { signPayment } from './payments.ts'
import { type RawAnswer, send } from './raw.ts'
import type { Stage } from './stage.ts'
import { aBounty, aTask } from './tasks.ts'
import { until } from './until.ts'

/** A person who is signed in: an address, a session, and a wallet of their own in the browser. */
export type Person = {
  readonly id: string
  readonly email: string
  readonly wallet: PrivateKeyAccount
  readonly cookie: string
  readonly csrfToken: string
  get(path: string): Promise<RawAnswer>
  /** A change as the console's script sends it. */
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>
}

/** Somebody who has signed in before, with USDC in their wallet. */
export async function newPerson(stage: Stage, usdc = '100'): Promise<Person> {
  const { world } = stage.node().service
  const now = stage.now()
  const token = randomBytes(32).toString('base64url')
  const email = `${randomUUID()}@example.org`
  const { id } = await world.store.transaction(async (tx) => {
    const owner = await tx.ensureOwner({ id: newId(world, 'own'), email, createdAt: now })
    const session = { id: newId(world, 'ses'), ownerId: owner.id, createdAt: now, expiresAt: now + 365 * DAY }
    await tx.insertSession(session, sessionHash(token))
    return owner
  })
  const wallet = newWallet()
  await give(stage, wallet.address, usdc)
  const cookie = `${SESSION_COOKIE}=${token}`
  const csrfToken = csrfTokenOf(token)
  return {
    id,
    email,
    wallet,
    cookie,
    csrfToken,
    get: (path) => send(stage, { method: 'GET', path, headers: { Cookie: cookie }, body: null }),
    post(path, body, headers = {}) {
      const text = body === undefined ? null : JSON.stringify(body)
      const type = text === null ? {} : { 'Content-Type': 'application/json' }
      const own = { Cookie: cookie, 'X-CSRF-Token': csrfToken, ...type }
      return send(stage, { method: 'POST', path, headers: { ...own, ...headers }, body: text })
    },
  }
}

/** The same call twice: asked for its price, then with the price signed by the person's wallet. */
export async function payFor(stage: Stage, person: Person, path: string, body?: unknown): Promise<RawAnswer> {
  const asked = await person.post(path, body)
  const [terms] = (asked.body.accepts ?? []) as PaymentRequirements[]
  if (asked.status !== 402 || !terms) throw new Error(`No price was asked: ${JSON.stringify(asked.body)}`)
  const { header } = await signPayment(stage, terms, person.wallet)
  return person.post(path, body, { 'PAYMENT-SIGNATURE': header })
}

/** Posts a task as this person: free, or with the bounty that is given, in escrow unless that says otherwise. */
export async function postAs(stage: Stage, person: Person, more: Partial<Body<'createTask'>> = {}): Promise<string> {
  const body = { ...aTask, ...more }
  const inEscrow = body.bounty !== undefined && body.escrow !== false
  const answer = await (inEscrow
    ? payFor(stage, person, '/v1/owner/tasks', body)
    : person.post('/v1/owner/tasks', body))
  if (answer.status !== 200) throw new Error(`Not posted: ${JSON.stringify(answer.body)}`)
  const id = String(answer.body.task_id)
  if (inEscrow)
    await until(
      () => person.get(`/v1/owner/tasks/${id}`),
      ({ body: { task } }) => (task as { readonly claimable: boolean }).claimable,
    )
  return id
}

export const inEscrow = (usdc = 5) => ({ bounty: aBounty(usdc) })
export const onAcceptance = (usdc = 5) => ({ bounty: aBounty(usdc), escrow: false })

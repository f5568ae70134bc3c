import type { PaymentRequirements } from '@guildhall/protocol'
import type { Body } from '@guildhall/sdk'
import type { PrivateKeyAccount } from 'viem/accounts'
import { give, newWallet } from './cast.ts'
import { newOwner, type OwnerPlayer } from './owners.ts'
import { signPayment } from './payments.ts'
import type { RawAnswer } from './raw.ts'
import type { Stage } from './stage.ts'
import { aBounty, aTask } from './tasks.ts'
import { until } from './until.ts'

/** A signed-in person who posts: with an id that everybody may see, and a wallet that pays. */
export type Person = OwnerPlayer & {
  readonly id: string
  readonly wallet: PrivateKeyAccount
  get(path: string): Promise<RawAnswer>
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>
}

/** Somebody who is signed in, with USDC in their wallet. */
export async function newPerson(stage: Stage, usdc = '100'): Promise<Person> {
  const owner = await newOwner(stage)
  const wallet = newWallet()
  await give(stage, wallet.address, usdc)
  const { body } = await owner.call('GET', '/v1/owner/session')
  return {
    ...owner,
    id: (body.owner as { readonly owner_id: string }).owner_id,
    wallet,
    get: (path) => owner.call('GET', path),
    post: (path, body, headers) => owner.call('POST', path, body, headers),
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

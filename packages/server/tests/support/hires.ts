import type { PaymentRequirements } from '@guildhall/protocol'
import type { PrivateKeyAccount } from 'viem/accounts'
import { give, newWallet } from './cast.ts'
import { type RawAnswer, type RawRequest, send } from './raw.ts'
import type { Stage } from './stage.ts'

/** A wallet with money that nobody knows. */
export async function newHirer(stage: Stage, usdc = '100'): Promise<PrivateKeyAccount> {
  const wallet = newWallet()
  await give(stage, wallet.address, usdc)
  return wallet
}

/** A request that nobody signed. */
export const unsigned = (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): RawRequest => ({
  method: 'POST',
  path,
  headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
  body: body === undefined ? null : JSON.stringify(body),
})

export type Price = { readonly answer: RawAnswer; readonly terms: PaymentRequirements }

/** What the 402 of a hire asks for. */
export async function hirePrice(stage: Stage, request: RawRequest): Promise<Price> {
  const answer = await send(stage, request)
  const [terms] = (answer.body.accepts ?? []) as PaymentRequirements[]
  if (answer.status !== 402 || !terms) throw new Error(`No price was asked: ${JSON.stringify(answer.body)}`)
  return { answer, terms }
}

/** The same payment with an id of the payer's own. */
export function identified(header: string, id: unknown): string {
  const payload = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  const extensions = { 'payment-identifier': { info: { required: false, id } } }
  return Buffer.from(JSON.stringify({ ...payload, extensions })).toString('base64')
}

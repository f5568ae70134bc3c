import {
  encodeHeaderJson,
  type PaymentRequirements,
  readHeaderJson,
  type TransferAuthorization,
  tokenDomain,
  typedTransfer,
} from '@guildhall/protocol'
import { generatePrivateKey, type PrivateKeyAccount } from 'viem/accounts'
import type { Player } from './cast.ts'
import { type RawAnswer, type RawRequest, send, signed } from './raw.ts'
import type { Stage } from './stage.ts'

export type Signer = Pick<PrivateKeyAccount, 'address' | 'signTypedData'>

/** A call that was answered with 402, and what it asked for. */
export type Asked = { readonly request: RawRequest; readonly answer: RawAnswer; readonly terms: PaymentRequirements }

export async function askPrice(stage: Stage, player: Player, path: string, body?: unknown): Promise<Asked> {
  const request = signed(stage, player, 'POST', path, body)
  const answer = await send(stage, request)
  const [terms] = (answer.body.accepts ?? []) as PaymentRequirements[]
  if (answer.status !== 402 || !terms) throw new Error(`No price was asked: ${JSON.stringify(answer.body)}`)
  return { request, answer, terms }
}

export type SignedPayment = {
  readonly authorization: TransferAuthorization
  readonly signature: `0x${string}`
  readonly header: string
}

type Changes = {
  readonly authorization?: Partial<TransferAuthorization>
  /** What the payer says to have accepted, where that differs from the terms. */
  readonly accepted?: Readonly<Record<string, unknown>>
  /** What is sent in place of what was signed. */
  readonly sent?: Readonly<Record<string, string>>
  readonly domain?: Readonly<Record<string, unknown>>
}

/** Signs the terms, with the changes that a test wants to see refused. */
export async function signPayment(
  stage: Stage,
  terms: PaymentRequirements,
  payer: Signer,
  changes: Changes = {},
): Promise<SignedPayment> {
  const authorization: TransferAuthorization = {
    from: payer.address,
    to: terms.payTo as `0x${string}`,
    value: BigInt(terms.amount),
    validAfter: 0n,
    validBefore: BigInt(Math.floor(stage.now() / 1000) + 3_000),
    nonce: generatePrivateKey(),
    ...changes.authorization,
  }
  const domain = { ...tokenDomain({ ...terms, ...terms.extra }), ...changes.domain }
  const signature = await payer.signTypedData(typedTransfer(authorization, domain))
  const { value, validAfter, validBefore, ...rest } = authorization
  const texts = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) }
  const header = encodeHeaderJson({
    x402Version: 2,
    accepted: { ...terms, ...changes.accepted },
    payload: { signature, authorization: { ...rest, ...texts, ...changes.sent } },
  })
  return { authorization, signature, header }
}

export const pay = (stage: Stage, { request }: Asked, { header }: Pick<SignedPayment, 'header'>, node?: number) =>
  send(stage, request, { headers: { 'PAYMENT-SIGNATURE': header }, ...(node === undefined ? {} : { node }) })

/** The JSON in a payment header of an answer. */
export function readHeader({ headers }: RawAnswer, name: string): Readonly<Record<string, unknown>> {
  const read = readHeaderJson(headers.get(name) ?? '')
  if ('problem' in read) throw new Error(`${name}: ${read.problem}`)
  return read.value as Readonly<Record<string, unknown>>
}

import { randomBytes } from 'node:crypto'
import {
  BASE,
  encodeHeaderJson,
  ONE_USDC,
  type PaymentRequirements,
  tokenDomain,
  typedTransfer,
} from '@guildhall/protocol'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { encodeRequest, type Request } from '../load/operation.ts'
import { signedBy } from '../seed/bench-agent.ts'
import type { Stage } from '../stage/start-stage.ts'
import { pick, taskBody } from './writes.ts'

const VALID_SECONDS = 3_000
const MOST_POSTS = 1_000_000n

/** One task with a bounty: the call as it is first sent, and the same with its payment. */
export type PaidPost = { readonly asking: Buffer; readonly paying: Buffer }

/** Builds posts by agents whose bounties one rich wallet pays. */
export async function createPaidPosts({
  parts,
  large,
  agents,
}: Stage): Promise<(count: number) => Promise<PaidPost[]>> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const chain = parts.chains.find(({ network }) => network === BASE.id)
  await chain?.mint(wallet.address, ONE_USDC * MOST_POSTS)
  const bounty = { amount: ONE_USDC.toString(), network: BASE.id }
  let made = 0
  const request = (nr: number): Request =>
    signedBy(pick(agents, nr), { method: 'POST', path: '/v1/tasks', body: taskBody(nr, { bounty }) })
  const post = async (requirements: PaymentRequirements): Promise<PaidPost> => {
    const asking = request(made++)
    const headers = { ...asking.headers, 'PAYMENT-SIGNATURE': await signPayment(wallet, requirements) }
    return { asking: encodeRequest(asking), paying: encodeRequest({ ...asking, headers }) }
  }
  return async (count) => {
    const requirements = await requirementsOf(`${large.server.url}/v1/tasks`, request(0))
    return Promise.all(Array.from({ length: count }, () => post(requirements)))
  }
}

async function requirementsOf(url: string, request: Request): Promise<PaymentRequirements> {
  const headers = { ...request.headers, 'Content-Type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: request.body ?? null })
  const { accepts } = (await answer.json()) as { accepts?: readonly PaymentRequirements[] }
  const [first] = accepts ?? []
  if (first === undefined) throw new Error(`A task with a bounty was not answered with 402 but with ${answer.status}.`)
  return first
}

async function signPayment(wallet: PrivateKeyAccount, requirements: PaymentRequirements): Promise<string> {
  const authorization = {
    from: wallet.address,
    to: requirements.payTo as `0x${string}`,
    value: BigInt(requirements.amount),
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + VALID_SECONDS),
    nonce: `0x${randomBytes(32).toString('hex')}` as const,
  }
  const domain = tokenDomain({ ...requirements, ...requirements.extra })
  const signature = await wallet.signTypedData(typedTransfer(authorization, domain))
  const { value, validAfter, validBefore } = authorization
  const inTexts = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) }
  const payload = { signature, authorization: { ...authorization, ...inTexts } }
  return encodeHeaderJson({ x402Version: 2, accepted: requirements, payload })
}

import { randomBytes } from 'node:crypto'
import { BASE, encodeHeaderJson, type PaymentRequirements, tokenDomain, typedTransfer } from '@guildhall/protocol'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { encodeRequest, type Operation } from '../load/operation.ts'
import type { Plan } from '../plan.ts'
import { signedBy } from '../seed/bench-agent.ts'
import type { Stage } from '../stage/start-stage.ts'
import { untilQuiet } from '../stage/until-quiet.ts'
import { inTurn, type Line } from './line.ts'
import { names } from './names.ts'
import { pick, taskBody } from './write-lines.ts'

const ONE_USDC = 1_000_000n
const VALID_SECONDS = 3_000
const MOST_MS = 30_000

/** The whole handshake: the 402, the same call with its payment, the deposit settled on the chain before the answer. */
export async function paidLine(plan: Plan, { parts, large, agents }: Stage): Promise<Line> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const chain = parts.chains.find(({ network }) => network === BASE.id)
  await chain?.mint(wallet.address, ONE_USDC * BigInt(plan.paidPosts * 10))
  const bounty = { amount: ONE_USDC.toString(), network: BASE.id }
  const perRound = Math.ceil(plan.paidPosts / plan.rounds)
  let made = 0

  const handshake = async (requirements: PaymentRequirements): Promise<Operation> => {
    const nr = made++
    const request = signedBy(pick(agents, nr), { method: 'POST', path: '/v1/tasks', body: taskBody(nr, { bounty }) })
    const payment = await signPayment(wallet, requirements)
    const paid = { ...request, headers: { ...request.headers, 'PAYMENT-SIGNATURE': payment } }
    return [
      { bytes: encodeRequest(request), status: 402 },
      { bytes: encodeRequest(paid), status: 200, says: '"claimable":true' },
    ]
  }
  return {
    name: names.paidPost,
    server: large.server,
    connections: plan.paidConnections,
    mostMs: MOST_MS,
    async prepare() {
      const request = signedBy(pick(agents, 0), { method: 'POST', path: '/v1/tasks', body: taskBody(0, { bounty }) })
      const requirements = await requirementsOf(`${large.server.url}/v1/tasks`, request)
      return inTurn(await Promise.all(Array.from({ length: perRound }, () => handshake(requirements))))
    },
    settled: () => untilQuiet(large.database),
  }
}

async function requirementsOf(url: string, request: ReturnType<typeof signedBy>): Promise<PaymentRequirements> {
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

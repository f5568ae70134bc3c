import type { Caller } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import type { Log } from '../ports/log.ts'
import { authenticateAgent, type FindAgent, type ReceivedRequest } from './authenticate-agent.ts'
import { problemOfAnswer } from './check-answer.ts'
import type { Exchange } from './exchange.ts'
import type { Call, JsonAnswer, StreamAnswer } from './handler.ts'
import { parseBody, parseParams, parseQuery } from './parse-call.ts'
import { countRequest, type Hit } from './rate-limit.ts'
import { readBody } from './read-body.ts'
import type { RequestTarget } from './request-target.ts'
import type { EndpointRoute } from './resources.ts'
import { withHeaders } from './response-heads.ts'
import { send, sendRevalidated, sendStream } from './send.ts'
import type { VerificationKeys } from './verification-keys.ts'

export type EndpointServices = {
  readonly findAgent: FindAgent
  readonly hit: Hit
  readonly keys: VerificationKeys
  readonly now: () => Instant
  readonly log: Log
  readonly checkAnswers: boolean
}

/** The service broke its own contract; seen only where answers are checked. */
export class ContractBrokenError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ContractBrokenError'
  }
}

/** Checks a call in the order of the specification, has it carried out, and answers. */
export async function answerEndpoint(
  services: EndpointServices,
  exchange: Exchange,
  route: EndpointRoute,
  target: RequestTarget,
  segments: readonly string[],
  ip: string,
): Promise<void> {
  const { request, requestId } = exchange
  const { declared, limit } = route
  if (limit !== null) {
    const standing = await countRequest(services.hit, limit, ip, services.now())
    exchange.extra.push(...standing.headers)
    if (!standing.allowed) refuse('rate_limited')
  }
  const body = await readBody(request, declared.body !== undefined)
  const now = services.now()
  const received = { method: request.method ?? '', path: target.path, headers: request.headers, body }
  const caller = await callerOf(services, route, received, now)
  const answer = await carryOut(services, route, {
    params: parseParams(declared, route.parameters, segments),
    query: parseQuery(declared, target.query),
    body: parseBody(declared, body),
    caller,
    payment: declared.paid ? paymentOf(request.headers['payment-signature']) : null,
    context: { requestId, ip, now },
  })
  if ('stream' in answer) answerStream(exchange, route, answer)
  else answerJson(services, exchange, route, answer)
}

async function callerOf(
  { findAgent, keys }: EndpointServices,
  { declared: { auth } }: EndpointRoute,
  received: ReceivedRequest,
  now: Instant,
): Promise<Caller | null> {
  if (auth === 'none') return null
  if (auth === 'optional' && received.headers.authorization === undefined) return null
  return authenticateAgent(findAgent, keys, received, now)
}

const paymentOf = (header: string | string[] | undefined): string | null => (typeof header === 'string' ? header : null)

async function carryOut(
  { log, checkAnswers }: EndpointServices,
  { name, handler, refusals }: EndpointRoute,
  call: Call,
) {
  try {
    return await handler(call)
  } catch (error) {
    if (error instanceof Refusal && !refusals.has(error.code)) {
      const problem = `${name} refused with ${error.code}, which it does not declare.`
      if (checkAnswers) throw new ContractBrokenError(problem)
      log.warn(problem, { request_id: call.context.requestId })
    }
    throw error
  }
}

function answerJson(services: EndpointServices, exchange: Exchange, route: EndpointRoute, answer: JsonAnswer): void {
  const { declared } = route
  const text = JSON.stringify(answer.body)
  if (services.checkAnswers) {
    const problem = problemOfAnswer(declared, text)
    if (problem !== null) throw new ContractBrokenError(`${route.name} answered something undeclared: ${problem}`)
  }
  const status = answer.status ?? declared.status ?? 200
  const head = answer.headers === undefined ? route.successHead : withHeaders(route.successHead, answer.headers)
  if (declared.caching === 'public' && status === 200 && declared.method === 'GET')
    sendRevalidated(exchange, status, head, text)
  else send(exchange, status, head, text)
}

function answerStream(exchange: Exchange, route: EndpointRoute, { status, headers, stream }: StreamAnswer): void {
  const head = withHeaders(route.successHead, { 'Content-Type': 'text/event-stream', ...headers })
  sendStream(exchange, status ?? 200, head, stream)
}

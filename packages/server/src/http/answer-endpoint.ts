import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '@guildhall/protocol'
import type { Caller } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import { refuse } from '../domain/refusal.ts'
import { authenticateAgent, type FindAgent } from './authenticate-agent.ts'
import { ContractBrokenError, problemOfAnswer } from './check-answer.ts'
import type { Exchange } from './exchange.ts'
import type { Call, JsonAnswer, StreamAnswer } from './handler.ts'
import { parseBody, parseParams, parseQuery } from './parse-call.ts'
import { countRequest, type Hit, rateLimitHeaders } from './rate-limit.ts'
import { announcesBody, readBody } from './read-body.ts'
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
  readonly checkAnswers: boolean
}

const NOTHING = Buffer.alloc(0)

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
  if (limit?.per === 'ip') {
    const standing = await countRequest(services.hit, limit, ip, services.now())
    exchange.extra.push(...Object.entries(rateLimitHeaders(limit, standing)).flat())
    if (!standing.allowed) refuse('rate_limited', { retry_after_seconds: standing.resetSeconds })
  }
  const body = announcesBody(request) ? await readBody(request, declared.body !== undefined) : NOTHING
  const now = services.now()
  const caller = isAnonymous(declared, request) ? null : await callerOf(services, request, target.path, body, now)
  const call: Call = {
    caller,
    params: parseParams(declared, route.parameters, segments),
    query: parseQuery(declared, target.query),
    body: parseBody(declared, body),
    payment: declared.paid ? textOf(request.headers['payment-signature']) : null,
    context: { requestId, ip, now, header: (name) => textOf(request.headers[name]) },
  }
  exchange.handling = true
  const answer = await route.handler(call)
  if ('stream' in answer) answerStream(exchange, route, answer)
  else answerJson(services, exchange, route, answer)
}

const isAnonymous = ({ auth }: Endpoint, { headers }: IncomingMessage): boolean =>
  auth === 'none' || auth === 'manage' || (auth === 'optional' && headers.authorization === undefined)

const callerOf = (
  { findAgent, keys }: EndpointServices,
  { method = '', headers }: IncomingMessage,
  path: string,
  body: Buffer,
  now: Instant,
): Promise<Caller> => authenticateAgent(findAgent, keys, { method, path, headers, body }, now)

const textOf = (header: string | string[] | undefined): string | null => (typeof header === 'string' ? header : null)

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
  const type = route.declared.streams ?? 'text/event-stream'
  const head = withHeaders(route.successHead, { 'Content-Type': type, ...headers })
  sendStream(exchange, status ?? 200, head, stream)
}

import { type Endpoint, isRepeatable, type RateLimit } from '@guildhall/protocol'
import { posterHolding } from '../actions/tasks/poster.ts'
import type { HeldKey } from '../domain/idempotency/held-key.ts'
import type { Instant } from '../domain/instant.ts'
import { OverLimit } from '../domain/rate-limit/over-limit.ts'
import { refuse } from '../domain/refusal.ts'
import type { Log } from '../ports/log.ts'
import type { FindAgent } from './authenticate-agent.ts'
import { authenticateCaller, type FindManager } from './authenticate-caller.ts'
import type { FindSession } from './authenticate-owner.ts'
import { networkOf } from './client-ip.ts'
import type { Exchange } from './exchange.ts'
import { sendFailure } from './failure.ts'
import type { Call, DocumentAnswer, HtmlAnswer, JsonAnswer, StreamAnswer } from './handler.ts'
import { headerText } from './header-text.ts'
import { answerOnce, isReplayed, type Repetition } from './idempotency/answer-once.ts'
import { readRepeat } from './idempotency/read-repeat.ts'
import type { WireAnswer } from './idempotency/seal-answer.ts'
import { parseBody, parseParams, parseQuery } from './parse-call.ts'
import { ContractBrokenError, problemOfAnswer } from './problem-of-answer.ts'
import { countRequest, type Hit, type ReadWindow, standingHeader } from './rate-limit.ts'
import { announcesBody, receiveBody } from './read-body.ts'
import type { RequestTarget } from './request-target.ts'
import type { EndpointRoute } from './resources.ts'
import { withHeaders } from './response-heads.ts'
import { isSameOrigin } from './same-origin.ts'
import { send, sendDocument, sendRevalidated, sendStream } from './send.ts'
import { tellingStanding, tellStanding } from './tell-standing.ts'
import type { VerificationKeys } from './verification-keys.ts'

export type EndpointServices = {
  readonly findAgent: FindAgent
  readonly findManager: FindManager
  readonly findSession: FindSession
  /** The origin of the service's own address. */
  readonly ownOrigin: string
  readonly hit: Hit
  readonly window: ReadWindow
  readonly keys: VerificationKeys
  readonly now: () => Instant
  readonly mayChange: () => boolean | Promise<boolean>
  readonly checkAnswers: boolean
  readonly log: Log
  /** Null where requests cannot be repeated under a key. */
  readonly repetition: Repetition | null
}

/** A request whose endpoint has been found. */
type RoutedRequest = {
  readonly route: EndpointRoute
  readonly target: RequestTarget
  /** The parts of the path that the endpoint's parameters stand for. */
  readonly segments: readonly string[]
  readonly ip: string
}

const NOTHING = Buffer.alloc(0)

/** Checks a call in the order of the specification, has it carried out, and answers. */
export async function answerEndpoint(
  services: EndpointServices,
  exchange: Exchange,
  routed: RoutedRequest,
): Promise<void> {
  const { route, ip } = routed
  const answer = () => answerCall(services, exchange, routed)
  if (route.limit === null) return answer()
  if (route.limit.per === 'ip') exchange.countedAs = networkOf(ip)
  return tellingStanding(services, exchange, route.limit, answer)
}

async function answerCall(
  services: EndpointServices,
  exchange: Exchange,
  { route, target, segments, ip }: RoutedRequest,
): Promise<void> {
  const { request, requestId } = exchange
  const { declared, limit } = route
  if (declared.method !== 'GET') {
    const mayChange = services.mayChange()
    if (mayChange !== true && !(await mayChange)) refuse('service_unavailable')
  }
  exchange.asPage = declared.page === true
  const kind = declared.body === undefined ? 'none' : declared.form ? 'form' : 'json'
  const body = announcesBody(request) ? await receiveBody(exchange, kind) : NOTHING
  const now = services.now()
  const received = { method: request.method ?? '', path: target.path, headers: request.headers, body }
  const params = () => parseParams(declared, route.parameters, segments)
  const caller = declared.auth === 'none' ? null : await authenticateCaller(services, declared, received, params, now)
  if (limit?.per === 'agent') exchange.countedAs = caller === null ? networkOf(ip) : agentIdOf(caller)
  const call: Call = {
    caller,
    params: params(),
    query: parseQuery(declared, target.query),
    body: parseBody(declared, body),
    payment: declared.paid ? headerText(request.headers['payment-signature']) : null,
    held: null,
    context: {
      requestId,
      ip,
      now,
      path: target.path,
      sameOrigin: isSameOrigin(request.headers, services.ownOrigin),
      header: (name) => headerText(request.headers[name]),
    },
  }
  if (limit?.counts === 'tries') await countTry(services, exchange, limit, ip)
  const { repetition, log } = services
  const repeat =
    isRepeatable(declared) && repetition !== null
      ? readRepeat(repetition.secret, { ...received, query: target.query }, call)
      : null
  exchange.handling = true
  if (repetition === null || repeat === null) {
    const given = await route.handler(call)
    if ('refused' in given) return sendFailure(log, services.checkAnswers, exchange, given.refused)
    return answer(services, exchange, route, given)
  }
  const carryOut = async (held: HeldKey | null) => {
    const given = await route.handler(holding(call, held))
    if ('refused' in given) throw given.refused
    setCookies(exchange, given)
    return jsonOf(services, route, given)
  }
  const wire = await answerOnce(repetition, log, repeat, carryOut)
  if (limit !== null && isReplayed(wire)) await tellStanding(services, exchange, limit)
  sendWire(exchange, route, wire)
}

async function countTry(
  { hit, now }: EndpointServices,
  exchange: Exchange,
  limit: RateLimit,
  ip: string,
): Promise<void> {
  const standing = await countRequest(hit, limit, ip, now())
  if (!standing.allowed) throw new OverLimit(limit, standing.resetSeconds)
  exchange.extra.push(...Object.entries(standingHeader(limit, standing)).flat())
}

const agentIdOf = (caller: NonNullable<Call['caller']>): string | null => ('agent' in caller ? caller.agent.id : null)

/** Adds the idempotency key that the change has to mark in its transaction. */
function holding(call: Call, held: HeldKey | null): Call {
  const { caller } = call
  if (held === null || caller === null) return { ...call, held }
  const marking = 'poster' in caller ? { ...caller, poster: posterHolding(caller.poster, held) } : { ...caller, held }
  return { ...call, caller: marking, held }
}

type AnyAnswer = JsonAnswer | DocumentAnswer | StreamAnswer | HtmlAnswer

/** Cookies are not part of the stored answer: a repeat signs nobody in. */
function setCookies(exchange: Exchange, { cookies = [] }: AnyAnswer): void {
  for (const cookie of cookies) exchange.extra.push('Set-Cookie', cookie)
}

function answer(services: EndpointServices, exchange: Exchange, route: EndpointRoute, given: AnyAnswer): void {
  setCookies(exchange, given)
  if ('page' in given) answerHtml(exchange, route, given)
  else if ('stream' in given) answerStream(exchange, route, given)
  else if ('document' in given) answerDocument(services, exchange, route, given)
  else sendWire(exchange, route, jsonOf(services, route, given))
}

/** The answer in wire form; where answers are checked, it must be what the endpoint declares. */
function jsonOf(services: EndpointServices, route: EndpointRoute, given: AnyAnswer): WireAnswer {
  const { declared } = route
  if ('page' in given) throw new ContractBrokenError(`${route.name} answered with a page, which it does not declare.`)
  if (!('body' in given))
    throw new ContractBrokenError(`${route.name} answered with a stream or a document, which cannot be repeated.`)
  const text = JSON.stringify(given.body)
  if (services.checkAnswers) checkText(route, text)
  return { status: given.status ?? declared.status ?? 200, headers: given.headers ?? {}, text }
}

function checkText({ name, declared }: EndpointRoute, text: string): void {
  const problem = problemOfAnswer(declared, text)
  if (problem !== null) throw new ContractBrokenError(`${name} answered something undeclared: ${problem}`)
}

function answerDocument(
  { checkAnswers }: EndpointServices,
  exchange: Exchange,
  route: EndpointRoute,
  { status, headers, document }: DocumentAnswer,
): void {
  if (checkAnswers) checkText(route, document.text)
  const head = headers === undefined ? route.successHead : withHeaders(route.successHead, headers)
  sendDocument(exchange, status ?? 200, head, document)
}

function sendWire(exchange: Exchange, { declared, successHead }: EndpointRoute, wire: WireAnswer): void {
  const { status, headers, text } = wire
  const head = Object.keys(headers).length === 0 ? successHead : withHeaders(successHead, headers)
  if (isPublicRead(declared) && status === 200) sendRevalidated(exchange, status, head, text)
  else send(exchange, status, head, text)
}

/** Public reads have an ETag, even if they may not be cached. */
const isPublicRead = ({ method, auth, caching }: Endpoint): boolean =>
  method === 'GET' && (caching === 'public' || (auth === 'none' && caching === undefined))

function answerHtml(exchange: Exchange, { declared, successHead, name }: EndpointRoute, given: HtmlAnswer): void {
  if (!declared.page) throw new ContractBrokenError(`${name} answered with a page, which it does not declare.`)
  send(exchange, given.status ?? declared.status ?? 200, withHeaders(successHead, given.headers ?? {}), given.page)
}

function answerStream(exchange: Exchange, route: EndpointRoute, { status, headers, stream }: StreamAnswer): void {
  const type = route.declared.streams ?? 'text/event-stream'
  const head = withHeaders(route.successHead, { 'Content-Type': type, ...headers })
  sendStream(exchange, status ?? 200, head, stream)
}

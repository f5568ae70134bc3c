import { isRepeatable, type RateLimit } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import { OverLimit } from '../domain/rate-limit/over-limit.ts'
import { refuse } from '../domain/refusal.ts'
import type { Log } from '../ports/log.ts'
import type { Arrivals } from './arrivals.ts'
import type { FindAgent } from './authenticate-agent.ts'
import { authenticateCaller, type FindManager } from './authenticate-caller.ts'
import type { FindSession } from './authenticate-owner.ts'
import { networkOf } from './client-ip.ts'
import type { Exchange } from './exchange.ts'
import { sendFailure } from './failure.ts'
import type { Call } from './handler.ts'
import { headerText } from './header-text.ts'
import type { Repetition } from './idempotency/answer-once.ts'
import { answerRepeatable } from './idempotency/answer-repeatable.ts'
import { readRepeat } from './idempotency/read-repeat.ts'
import { parseBody, parseParams, parseQuery } from './parse-call.ts'
import { countRequest, type Hit, type ReadWindow, standingHeader } from './rate-limit.ts'
import { announcesBody, receiveBody } from './read-body.ts'
import type { EndpointRoute } from './resources.ts'
import type { RoutedRequest } from './routed-request.ts'
import { isSameOrigin } from './same-origin.ts'
import type { SignatureCheck } from './signature-check.ts'
import { tellingStanding, tellStandingUnlessIn } from './tell-standing.ts'
import { writeAnswer } from './write-answer.ts'

export type EndpointServices = {
  readonly findAgent: FindAgent
  readonly findManager: FindManager
  readonly findSession: FindSession
  /** The origin of the service's own address. */
  readonly ownOrigin: string
  readonly hit: Hit
  readonly window: ReadWindow
  readonly isSigned: SignatureCheck
  readonly arrivals: Arrivals
  readonly now: () => Instant
  readonly mayChange: () => boolean | Promise<boolean>
  readonly checkAnswers: boolean
  readonly log: Log
  /** Null where requests cannot be repeated under a key. */
  readonly repetition: Repetition | null
}

const NOTHING = Buffer.alloc(0)

/** Checks a call in the order of the specification, has it carried out, and answers. */
export async function answerEndpoint(
  services: EndpointServices,
  exchange: Exchange,
  routed: RoutedRequest<EndpointRoute>,
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
  { route, target, segments, ip }: RoutedRequest<EndpointRoute>,
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
  if (limit?.per === 'agent') exchange.countedAs = caller === null ? networkOf(ip) : idOf(caller)
  if (limit?.per === 'owner' && caller !== null) exchange.countedAs = idOf(caller)
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
  const { repetition, log, checkAnswers } = services
  const repeat =
    isRepeatable(declared) && repetition !== null
      ? readRepeat(repetition.secret, { ...received, query: target.query }, call)
      : null
  exchange.handling = true
  if (repetition === null || repeat === null) {
    const given = await route.handler(call)
    if ('refused' in given) return sendFailure(log, checkAnswers, exchange, given.refused)
    if (limit !== null) await tellStandingUnlessIn(given.headers, services, exchange, limit)
    return writeAnswer(exchange, route, given, checkAnswers)
  }
  return answerRepeatable(services, exchange, { route, call, repeat, repetition })
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

function idOf(caller: NonNullable<Call['caller']>): string | null {
  if ('agent' in caller) return caller.agent.id
  return 'owner' in caller ? caller.owner.id : null
}

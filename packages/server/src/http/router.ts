import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Instant } from '../domain/instant.ts'
import { refuse } from '../domain/refusal.ts'
import type { Log } from '../ports/log.ts'
import type { Timer } from '../ports/timer.ts'
import { answerEndpoint } from './answer-endpoint.ts'
import { answerPage, pageFor } from './answer-page.ts'
import { type AnsweredRequest, answeredBy, logAccess } from './answered-request.ts'
import { type Arrivals, createArrivals } from './arrivals.ts'
import type { FindAgent } from './authenticate-agent.ts'
import type { FindManager } from './authenticate-caller.ts'
import type { FindSession } from './authenticate-owner.ts'
import { createClientIp } from './client-ip.ts'
import { createDoors, type Doors } from './doors/doors.ts'
import { takePlace } from './doors/take-place.ts'
import { type Exchange, openExchange } from './exchange.ts'
import { sendFailure } from './failure.ts'
import type { Declarations, Handler, HandlersOf } from './handler.ts'
import type { Repetition } from './idempotency/answer-once.ts'
import { NOWHERE, type Page } from './page.ts'
import type { Hit, ReadWindow } from './rate-limit.ts'
import { readTarget } from './read-target.ts'
import { mountResources, type Resource } from './resources.ts'
import { createRouteTable, type Match, type RouteTable } from './route-table.ts'
import { sendEmpty } from './send.ts'
import { createSignatureCheck } from './signature-check.ts'

export type RouterOptions<D extends Declarations> = {
  readonly endpoints: D
  readonly handlers: HandlersOf<D>
  readonly pages?: readonly Page[]
  readonly findAgent: FindAgent
  /** Needed where an endpoint is managed by token or wallet. */
  readonly findManager?: FindManager
  /** Needed where owners sign in. */
  readonly findSession?: FindSession
  /** The public address of the service, and its name on pages. */
  readonly baseUrl?: string
  readonly serviceName?: string
  /** The store of Idempotency-Keys and their answers; without it the header is ignored. */
  readonly repetition?: Repetition
  readonly hit: Hit
  /** Needed for endpoints with a limit per caller. */
  readonly window?: ReadWindow
  readonly now: () => Instant
  readonly timer: Timer
  /** Whether this node accepts changes now; reads are always answered. */
  readonly mayChange?: () => boolean | Promise<boolean>
  readonly log: Log
  /** Whether the endpoints of the sandbox exist. */
  readonly sandbox: boolean
  readonly registrationLimited: boolean
  /** Addresses or networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[]
  /** Concurrency limits: requests beyond them queue or are refused. */
  readonly doors?: Doors
  /** Told of agents who are about to change something. */
  readonly arrivals?: Arrivals
  readonly accessLog?: boolean
  /** Called for every answer, for the operators' metrics. */
  readonly observe?: (answered: AnsweredRequest) => void
  /** Checks every answer against its declaration; for tests. */
  readonly checkAnswers?: boolean
}

export type Router = {
  /** Answers the request; never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** From now on health answers no and every connection is closed with its answer. */
  drain(): void
}

/** The endpoint that tells balancers whether this node takes requests. */
const READINESS = 'health'

/** Built on node:http itself: signatures cover the raw request line and bytes, and the contract is data already. */
export function createRouter<D extends Declarations>(options: RouterOptions<D>): Router {
  const { log, observe, doors = createDoors(32, options.timer), accessLog = true } = options
  // Handlers differ in type; each is called only with what its own endpoint has parsed.
  const handlers = options.handlers as unknown as Readonly<Record<string, Handler | undefined>>
  const table = createRouteTable(mountResources({ ...options, handlers, pages: options.pages ?? [] }))
  const clientIp = createClientIp(options.trustedProxies ?? [])
  const services = {
    ...options,
    isSigned: createSignatureCheck(),
    arrivals: options.arrivals ?? createArrivals(options.timer),
    checkAnswers: options.checkAnswers ?? false,
    findManager: options.findManager ?? nobodyManages,
    findSession: options.findSession ?? nobodyIsSignedIn,
    ownOrigin: new URL(options.baseUrl ?? 'http://127.0.0.1').origin,
    repetition: options.repetition ?? null,
    mayChange: options.mayChange ?? (() => true),
    window: options.window ?? (async () => null),
  }
  const node = { draining: false, serviceName: options.serviceName ?? 'Guildhall', now: options.now }

  const isSigned = (path: string, method = ''): boolean => {
    const auth = table.find(path)?.value.endpoints.get(method === 'HEAD' ? 'GET' : method)?.declared.auth
    return auth === 'agent' || auth === 'optional'
  }

  /** Whatever needs no waiting is done or refused synchronously. */
  function dispatch(exchange: Exchange): void | Promise<void> {
    const { request } = exchange
    const target = readTarget(request, isSigned)
    const { value: resource, segments } = table.find(target.path) ?? nowhere(table, request) ?? refuse('not_found')
    exchange.template = resource.template
    if (request.method === 'OPTIONS') return sendEmpty(exchange, 204, resource.optionsHead)
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '')
    const ip = clientIp(request)
    const page = pageFor(resource, method, request.headers.accept ?? '*/*')
    if (page !== null) {
      const answer = () => answerPage(services, exchange, { route: page, target, segments, ip })
      return takePlace(exchange, doors.forPage(page), ip, answer)
    }
    const route = resource.endpoints.get(method) ?? refuseMethod(exchange, resource)
    exchange.route = route
    if (node.draining && route.name === READINESS) refuse('service_unavailable')
    const answer = () => answerEndpoint(services, exchange, { route, target, segments, ip })
    return route.name === READINESS ? answer() : takePlace(exchange, doors.forEndpoint(route, request), ip, answer)
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now()
    const exchange = openExchange(request, response, node)
    try {
      await dispatch(exchange)
    } catch (error) {
      sendFailure(log, services.checkAnswers, exchange, error)
    } finally {
      exchange.place?.leave()
      const ms = performance.now() - startedAt
      if (accessLog) logAccess(log, exchange, ms)
      observe?.(answeredBy(exchange, ms))
    }
  }

  return {
    handle,
    drain: () => {
      node.draining = true
    },
  }
}

/** For an unknown path people get a page, if there is one; programs get JSON. */
function nowhere(table: RouteTable<Resource>, { method, headers }: IncomingMessage): Match<Resource> | null {
  const found = method === 'GET' || method === 'HEAD' ? table.find(NOWHERE) : null
  return found?.value.pages.some(({ page }) => page.accepts?.(headers.accept ?? '*/*')) ? found : null
}

const nobodyIsSignedIn: FindSession = async () => null
const nobodyManages: FindManager = async () => refuse('auth_required')

function refuseMethod(exchange: Exchange, { allow, endpoints, pages, refusalHead }: Resource): never {
  exchange.extra.push('Allow', allow)
  exchange.refusalHead = refusalHead
  const isForm = endpoints.size === 0 && pages.every(({ page }) => page.method === 'POST')
  if (!isForm || !exchange.request.headers.accept?.includes('text/html')) refuse('method_not_allowed')
  exchange.asPage = true
  return refuse('method_not_allowed', {}, FORM_ONLY)
}

/** A refused form is answered at its own address, which a person may then open, bookmark or have restored. */
const FORM_ONLY = 'Only a form can be sent here. Go back to the page with the form, or begin at the console.'

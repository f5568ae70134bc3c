import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import type { Place } from './doors/door.ts'
import type { EndpointRoute } from './resources.ts'
import { type Head, REFUSED } from './response-heads.ts'

/** One request, and what is collected for its answer on the way. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Per node: while it drains, every connection is closed with its answer. `now` is the service's time. */
  readonly node: { readonly draining: boolean; readonly serviceName: string; readonly now: () => Instant }
  /** The route template, which is safe to log; null until a route is found. */
  template: string | null
  route: EndpointRoute | null
  /** The head of a refusal as long as there is no route. */
  refusalHead: Head
  /** Held while the node works on this request; null where concurrency is not limited. */
  place: Place | null
  /** The handler has started: from here on, refusals must be declared by the endpoint. */
  handling: boolean
  /** The caller is a person's browser: refusals are pages. */
  asPage: boolean
  /** The caller's key in the endpoint's rate limit; null until it is known. */
  countedAs: string | null
  /** Headers of this answer alone, names and values in turn. */
  extra: string[]
}

export const openExchange = (request: IncomingMessage, response: ServerResponse, node: Exchange['node']): Exchange => ({
  request,
  response,
  requestId: requestIdOf(request.headers['x-request-id']),
  node,
  template: null,
  route: null,
  refusalHead: REFUSED,
  place: null,
  handling: false,
  asPage: false,
  countedAs: null,
  extra: [],
})

function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && limits.requestId.pattern.test(sent) ? sent : newRequestId()
}

const START = randomBytes(10).toString('hex')
let made = 0

/** Unique: a random part per process and a counter. */
export const newRequestId = (): string => `req_${START}${(made++).toString(36).padStart(8, '0')}`

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import type { Place } from './doors/door.ts'
import type { EndpointRoute } from './resources.ts'

/** One request and what is to be said with its answer, gathered on the way. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Of the node: while it drains, every connection is closed with its answer. `now` is the service's time. */
  readonly node: { readonly draining: boolean; readonly serviceName: string; readonly now: () => Instant }
  /** The template of what was asked for, which may be logged; null while nothing is found. */
  template: string | null
  route: EndpointRoute | null
  /** Held while the node works for this request; null where work is not counted. */
  place: Place | null
  /** The handler is at work: what is refused from here on, the endpoint refuses itself. */
  handling: boolean
  /** A person's browser is answered: refusals are pages. */
  asPage: boolean
  /** Whom the limit of the endpoint counts this call for; null while that is not known. */
  countedAs: string | null
  /** Headers, names and values in turn, that belong to this one answer. */
  extra: string[]
}

export const openExchange = (request: IncomingMessage, response: ServerResponse, node: Exchange['node']): Exchange => ({
  request,
  response,
  requestId: requestIdOf(request.headers['x-request-id']),
  node,
  template: null,
  route: null,
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

/** Unlike any other: random for the process, counted within it. */
export const newRequestId = (): string => `req_${START}${(made++).toString(36).padStart(8, '0')}`

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@guildhall/protocol'
import type { EndpointRoute } from './resources.ts'

/** One request and what is to be said with its answer, gathered on the way. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Of the node: while it drains, every connection is closed with its answer. */
  readonly node: { readonly draining: boolean }
  /** The template of what was asked for, which may be logged; null while nothing is found. */
  template: string | null
  route: EndpointRoute | null
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
  extra: [],
})

function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && limits.requestId.pattern.test(sent) ? sent : newRequestId()
}

export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`

import type { Log } from '../ports/log.ts'
import type { Exchange } from './exchange.ts'

/** The template replaces the path, which may hold secrets and differs every time. */
export type AnsweredRequest = {
  readonly method: string
  readonly template: string | null
  readonly status: number
  readonly seconds: number
}

/** The status that other servers log when the caller disconnected before the answer. */
const CALLER_GONE = 499

export const answeredBy = ({ request, response, template }: Exchange, ms: number): AnsweredRequest => ({
  method: request.method ?? '',
  template,
  status: response.headersSent ? response.statusCode : CALLER_GONE,
  seconds: ms / 1_000,
})

/** Neither headers nor bodies nor raw paths: they may hold secrets. */
export function logAccess(log: Log, { request, response, requestId, template }: Exchange, ms: number): void {
  log.info('request', {
    method: request.method,
    path: template,
    status: response.headersSent ? response.statusCode : 'caller gone',
    ms: Math.round(ms * 10) / 10,
    request_id: requestId,
  })
}

import { Refusal, refusal } from '../domain/refusal.ts'
import type { Log } from '../ports/log.ts'
import { ContractBrokenError } from './answer-endpoint.ts'
import type { Exchange } from './exchange.ts'
import { CallerGoneError } from './read-body.ts'
import { sendRefusal } from './refusal-answer.ts'

/** Answers whatever was thrown: refusals as they are, faults of ours as a bare 500 with the request id, logged. */
export function sendFailure(log: Log, exchange: Exchange, error: unknown): void {
  const { response } = exchange
  if (error instanceof CallerGoneError) return
  const answer = answerFor(log, exchange, error)
  if (response.headersSent) {
    response.destroy()
    return
  }
  try {
    sendRefusal(exchange, answer)
  } catch (second) {
    log.alarm('An answer could not be written', { request_id: exchange.requestId, error: describe(second) })
    response.destroy()
  }
}

function answerFor(log: Log, exchange: Exchange, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const facts = { request_id: exchange.requestId, path: exchange.template, error: describe(error) }
  if (error instanceof Error && error.name === 'StoreUnavailableError') {
    log.warn('The store is unavailable', facts)
    return refusal('service_unavailable')
  }
  log.alarm('A request failed', facts)
  exchange.extra = []
  return error instanceof ContractBrokenError ? refusal('internal_error', {}, error.message) : refusal('internal_error')
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

import { Refusal, refusal } from '../domain/refusal.ts'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import type { Log } from '../ports/log.ts'
import type { Exchange } from './exchange.ts'
import { ContractBrokenError } from './problem-of-answer.ts'
import { CallerGoneError } from './read-body.ts'
import { sendRefusal } from './refusal-answer.ts'

/** Answers any thrown error: refusals as they are, our own faults as a bare 500 with the request id, and a log line. */
export function sendFailure(log: Log, checkAnswers: boolean, exchange: Exchange, error: unknown): void {
  const { response } = exchange
  if (error instanceof CallerGoneError) return
  const answer = error instanceof Refusal ? declared(log, checkAnswers, exchange, error) : faultOf(log, exchange, error)
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

/** Checks that the endpoint declares the refusal. */
function declared(log: Log, checkAnswers: boolean, exchange: Exchange, refused: Refusal): Refusal {
  const { route, handling, requestId } = exchange
  if (!handling || route === null || route.refusals.has(refused.code)) return refused
  const problem = `${route.name} refused with ${refused.code}, which it does not declare.`
  if (checkAnswers) return faultOf(log, exchange, new ContractBrokenError(problem))
  log.warn(problem, { request_id: requestId })
  return refused
}

function faultOf(log: Log, exchange: Exchange, error: unknown): Refusal {
  const facts = { request_id: exchange.requestId, path: exchange.template }
  if (error instanceof StoreUnavailableError) {
    log.warn('The store is unavailable', { ...facts, error: error.message })
    return error.maybeWritten
      ? refusal('service_unavailable', { maybe_done: true }, MAYBE_DONE)
      : refusal('service_unavailable')
  }
  log.alarm('A request failed', { ...facts, error: describe(error) })
  exchange.extra = []
  return error instanceof ContractBrokenError ? refusal('internal_error', {}, error.message) : refusal('internal_error')
}

const MAYBE_DONE =
  'The service lost its database while this was being written, so it may have been carried out: look before you send it again.'

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

import { type ErrorCode, limitFor, type RateLimit } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Log } from '../ports/log.ts'
import type { Exchange } from './exchange.ts'
import { type ReadWindow, readStanding, standingHeader } from './rate-limit.ts'

type Services = { readonly window: ReadWindow; readonly now: () => Instant; readonly log: Log }

/** Refusals that say how the caller stands, or that come from where it would have to be asked. */
const TOLD: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'service_unavailable'])

/** A call that is refused before it is counted still says how the caller stands. */
export async function tellingStanding(
  services: Services,
  exchange: Exchange,
  limit: RateLimit,
  answer: () => Promise<void>,
): Promise<void> {
  try {
    await answer()
  } catch (error) {
    if (error instanceof Refusal && !TOLD.has(error.code)) await tellStanding(services, exchange, limit)
    throw error
  }
}

/** Read and not counted, and said once; nothing is said of a caller who is not known. The answer matters more than this header. */
export async function tellStanding(services: Services, exchange: Exchange, declared: RateLimit): Promise<void> {
  const { countedAs, request, requestId, extra } = exchange
  if (countedAs === null || extra.includes('RateLimit')) return
  const limit = limitFor(declared, request.headers.authorization !== undefined)
  try {
    const standing = await readStanding(services.window, limit, countedAs, services.now())
    extra.push(...Object.entries(standingHeader(limit, standing)).flat())
  } catch (error) {
    services.log.warn('How a caller stands could not be read', { request_id: requestId, error: String(error) })
  }
}

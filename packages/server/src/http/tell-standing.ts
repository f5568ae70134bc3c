import { type ErrorCode, limitFor, type RateLimit } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Log } from '../ports/log.ts'
import type { Exchange } from './exchange.ts'
import { type ReadWindow, readStanding, standingHeader } from './rate-limit.ts'

export type StandingServices = { readonly window: ReadWindow; readonly now: () => Instant; readonly log: Log }

/** Refusals that state the caller's standing already, or that come from the store that would have to be asked. */
const TOLD: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'service_unavailable'])

/** A call that is refused before it is counted still states the caller's standing. */
export async function tellingStanding(
  services: StandingServices,
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

/** So does an answer of a handler that does not state it itself, such as a repeated one. */
export async function tellStandingUnlessIn(
  headers: Readonly<Record<string, string>> | undefined,
  ...standing: Parameters<typeof tellStanding>
): Promise<void> {
  if (headers === undefined || !('RateLimit' in headers)) await tellStanding(...standing)
}

/**
 * Reads without counting, and adds the header once; not for unknown callers. The answer matters more than this header, so a
 * failure is only logged.
 */
async function tellStanding(services: StandingServices, exchange: Exchange, declared: RateLimit): Promise<void> {
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

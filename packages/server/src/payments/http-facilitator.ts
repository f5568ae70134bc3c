import type { PaymentRequirements } from '@guildhall/protocol'
import type { Facilitator, SignedAuthorization } from '../ports/facilitator.ts'
import type { Log } from '../ports/log.ts'
import { readSettleAnswer, readVerifyAnswer } from './facilitator-verdict.ts'
import { type InFlightLimit, limitInFlight } from './in-flight-limit.ts'
import { type HttpAnswer, postJson } from './post-json.ts'

const MAX_ANSWER_BYTES = 64 * 1024
const MAX_IN_FLIGHT = 64

/** The x402 facilitators, one per network or one for all, over HTTP. */
export function createHttpFacilitator(options: {
  /** The base address of the facilitator of a network; null when it has none. */
  readonly urlFor: (network: string) => string | null
  readonly timeoutMs: { readonly verify: number; readonly settle: number }
  /** Concurrent calls per network: where a facilitator hangs on one chain, it still serves the others. */
  readonly maxInFlight?: number
  readonly log: Log
}): Facilitator {
  const { urlFor, timeoutMs, maxInFlight = MAX_IN_FLIGHT, log } = options
  const limits = new Map<string, InFlightLimit>()

  const limitOf = (network: string): InFlightLimit => {
    const limit = limits.get(network) ?? limitInFlight(maxInFlight)
    limits.set(network, limit)
    return limit
  }

  const call = async (name: 'verify' | 'settle', payment: SignedAuthorization, requirements: PaymentRequirements) => {
    const base = urlFor(requirements.network)
    if (base === null) return failed('this network has no facilitator')
    const request = {
      url: `${base.replace(/\/+$/, '')}/${name}`,
      body: requestBody(payment, requirements),
      timeoutMs: timeoutMs[name],
      maxAnswerBytes: MAX_ANSWER_BYTES,
    }
    const answer = await limitOf(requirements.network)(() => postJson(request))
    return answer === 'busy' ? failed('too many calls are under way') : answer
  }

  return {
    async verify(payment, requirements) {
      const outcome = readVerifyAnswer(await call('verify', payment, requirements), payment.authorization.from)
      if (outcome.kind === 'unavailable') warn(log, 'verify', payment, outcome.cause)
      return outcome
    },
    async settle(payment, requirements) {
      const outcome = readSettleAnswer(await call('settle', payment, requirements))
      if (outcome.kind === 'unknown') warn(log, 'settle', payment, outcome.cause)
      return outcome
    },
  }
}

function requestBody({ authorization, signature }: SignedAuthorization, requirements: PaymentRequirements) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const written = {
    from,
    to,
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    nonce,
  }
  const paymentPayload = { x402Version: 2, accepted: requirements, payload: { signature, authorization: written } }
  return { x402Version: 2, paymentPayload, paymentRequirements: requirements }
}

function warn(log: Log, call: string, { authorization: { network, nonce } }: SignedAuthorization, cause: string): void {
  log.warn('The facilitator gave no verdict.', { call, network, nonce, cause })
}

const failed = (cause: string): HttpAnswer => ({ kind: 'failed', cause })

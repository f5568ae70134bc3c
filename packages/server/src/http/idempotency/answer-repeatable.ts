import { posterHolding } from '../../actions/poster.ts'
import type { HeldKey } from '../../domain/idempotency/held-key.ts'
import type { Exchange } from '../exchange.ts'
import type { Call } from '../handler.ts'
import type { EndpointRoute } from '../resources.ts'
import { type StandingServices, tellStandingUnlessIn } from '../tell-standing.ts'
import { setCookies, wireOf, writeWire } from '../write-answer.ts'
import { answerOnce, type Repetition } from './answer-once.ts'
import type { Repeat } from './read-repeat.ts'

type RepeatableCall = {
  readonly route: EndpointRoute
  readonly call: Call
  readonly repeat: Repeat
  readonly repetition: Repetition
}

/** Answers a call under an Idempotency-Key: carried out once, and answered alike every time. */
export async function answerRepeatable(
  services: StandingServices & { readonly checkAnswers: boolean },
  exchange: Exchange,
  { route, call, repeat, repetition }: RepeatableCall,
): Promise<void> {
  const carryOut = async (held: HeldKey | null) => {
    const given = await route.handler(holding(call, held))
    if ('refused' in given) throw given.refused
    setCookies(exchange, given)
    return wireOf(route, given, services.checkAnswers)
  }
  const wire = await answerOnce(repetition, services.log, repeat, carryOut)
  if (route.limit !== null) await tellStandingUnlessIn(wire.headers, services, exchange, route.limit)
  writeWire(exchange, route, wire)
}

/** Adds the idempotency key that the change has to mark in its transaction. */
function holding(call: Call, held: HeldKey | null): Call {
  const { caller } = call
  if (held === null || caller === null) return { ...call, held }
  const marking = 'poster' in caller ? { ...caller, poster: posterHolding(caller.poster, held) } : { ...caller, held }
  return { ...call, caller: marking, held }
}

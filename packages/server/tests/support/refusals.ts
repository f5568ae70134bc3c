import { type GuildhallErrorCode, type GuildhallErrorOf, isGuildhallError } from '@guildhall/sdk'

/** The refusal that a call ends with; anything else fails the test. */
export async function refusalOf<C extends GuildhallErrorCode>(
  call: Promise<unknown>,
  code: C,
): Promise<GuildhallErrorOf<C>> {
  const outcome = await call.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome && isGuildhallError(outcome.error, code)) return outcome.error
  if ('error' in outcome && isGuildhallError(outcome.error)) {
    throw new Error(`It was refused with ${outcome.error.code}, not ${code}: ${outcome.error.message}`)
  }
  if ('error' in outcome) throw outcome.error
  throw new Error(`It was not refused with ${code}: ${JSON.stringify(outcome.answer)}`)
}

import { limits } from '@guildhall/protocol'

/** The service's time as far as it is known: the local clock, and an offset once the service has named its own. */
export type ServerClock = {
  nowMs(): number
  nowSeconds(): number
  /** Takes over what the service says the time is, in unix seconds. */
  correct(serverSeconds: number): void
  /** The same from the Date of an answer, where the service has not named its time and the local clock is clearly off. */
  followDate(date: string | null): void
}

const CLEARLY_OFF_MS = limits.agentSignature.skewSeconds * 1000

export function serverClock(localMs: () => number): ServerClock {
  let offsetMs = 0
  let isNamed = false
  const nowMs = () => localMs() + offsetMs
  return {
    nowMs,
    nowSeconds: () => Math.floor(nowMs() / 1000),
    correct(serverSeconds) {
      offsetMs = serverSeconds * 1000 - localMs()
      isNamed = true
    },
    followDate(date) {
      const told = Date.parse(date ?? '')
      if (!isNamed && Math.abs(told - nowMs()) > CLEARLY_OFF_MS) offsetMs = told - localMs()
    },
  }
}

import { limits } from '@guildhall/protocol'

/** The best guess of the service's time: the local clock, plus an offset once the service has stated its own. */
export type ServerClock = {
  nowMs(): number
  nowSeconds(): number
  /** Adopts the time stated by the service, in unix seconds. */
  correct(serverSeconds: number): void
  /** The same from an answer's Date header, if the service has not stated its time and the local clock is clearly off. */
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

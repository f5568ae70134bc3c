/** The service's time as far as it is known: the local clock, and an offset once the service has named its own. */
export type ServerClock = {
  nowMs(): number
  nowSeconds(): number
  /** Takes over what the service says the time is, in unix seconds. */
  correct(serverSeconds: number): void
}

export function serverClock(localMs: () => number): ServerClock {
  let offsetMs = 0
  const nowMs = () => localMs() + offsetMs
  return {
    nowMs,
    nowSeconds: () => Math.floor(nowMs() / 1000),
    correct(serverSeconds) {
      offsetMs = serverSeconds * 1000 - localMs()
    },
  }
}

/** Waits in real time: a sandbox can move the service's clock, but not this one. */
export type Timer = {
  /** Milliseconds since an arbitrary moment. */
  elapsed(): number
  /** Calls `ring` once after `ms`; returns a function that cancels it. */
  after(ms: number, ring: () => void): () => void
}

export const pause = (timer: Timer, ms: number): Promise<void> =>
  new Promise((resolve) => {
    timer.after(ms, resolve)
  })

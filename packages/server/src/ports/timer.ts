/** Waiting, in time that passes by itself: the service's clock may be moved, this one is not. */
export type Timer = {
  /** Milliseconds since some moment. */
  elapsed(): number
  /** Rings once, unless it is stopped before; gives what stops it. */
  after(ms: number, ring: () => void): () => void
}

export const pause = (timer: Timer, ms: number): Promise<void> =>
  new Promise((resolve) => {
    timer.after(ms, resolve)
  })

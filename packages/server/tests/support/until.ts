const POLL_MS = 20

/** Waits for what happens by itself on another part, and says what was seen last when it does not. */
export async function until<T>(look: () => Promise<T>, isThere: (seen: T) => boolean, withinMs = 60_000): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (isThere(seen)) return seen
    if (performance.now() > deadline) throw new Error(`It did not come to that; the last was ${describe(seen)}`)
    await pauseMs(POLL_MS)
  }
}

/** For what paces itself; a test waits with `until`. */
export const pauseMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const describe = (seen: unknown): string =>
  JSON.stringify(seen, (_, value) => (typeof value === 'bigint' ? String(value) : value))?.slice(0, 2_000)

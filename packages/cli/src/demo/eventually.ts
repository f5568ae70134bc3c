const PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 100

/** Reads until the value is as wanted; returns the last one read after PATIENCE_MS. */
export async function eventually<T>(read: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const value = await read()
    if (wanted(value) || performance.now() > until) return value
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

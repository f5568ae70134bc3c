/**
 * Like Promise.all, but rejects only when nothing is starting any more: a part that came up after the others were stopped would
 * keep running.
 */
export async function allStarted<T extends readonly unknown[] | []>(
  starting: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(starting)
  return Promise.all(starting)
}

/**
 * As Promise.all, but a failure is told only when nothing is starting any more: what came up after the others were stopped would
 * go on running.
 */
export async function allStarted<T extends readonly unknown[] | []>(
  starting: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(starting)
  return Promise.all(starting)
}

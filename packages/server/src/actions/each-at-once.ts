/**
 * Works on up to `atOnce` ids concurrently. Returns how many succeeded, so that a batch that only fails is not retried without a
 * pause.
 */
export async function eachAtOnce(
  ids: readonly string[],
  atOnce: number,
  work: (id: string) => Promise<boolean>,
): Promise<number> {
  const queue = [...ids]
  let done = 0
  const lane = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) if (await work(id)) done += 1
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, lane))
  return done
}

/** Works on so many at once. Gives the number of those that went well: whoever only fails is not looked for again without a pause. */
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

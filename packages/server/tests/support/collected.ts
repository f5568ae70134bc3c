/** Everything that an iteration gives, in its order. */
export async function collected<T>(iteration: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const one of iteration) all.push(one)
  return all
}

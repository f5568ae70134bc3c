type Results<Steps extends readonly Promise<unknown>[]> = { -readonly [Nr in keyof Steps]: Awaited<Steps[Nr]> }

/**
 * Waits for steps of one transaction that were started one after the other without waiting: they reach the store together and
 * are carried out in their order. Waits for all of them, whatever happens; of several refusals the first step's counts.
 */
export async function allInOrder<const Steps extends readonly Promise<unknown>[]>(
  ...steps: Steps
): Promise<Results<Steps>> {
  const settled = await Promise.allSettled(steps)
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason
  return settled.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined)) as Results<Steps>
}

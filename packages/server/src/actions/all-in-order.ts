type Results<Steps extends readonly Promise<unknown>[]> = { -readonly [Nr in keyof Steps]: Awaited<Steps[Nr]> }

/**
 * Awaits steps of one transaction that were started without awaiting each: they reach the store in one round and run in order.
 * Awaits all of them even if one fails; the first step's refusal wins.
 */
export async function allInOrder<const Steps extends readonly Promise<unknown>[]>(
  ...steps: Steps
): Promise<Results<Steps>> {
  const settled = await Promise.allSettled(steps)
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason
  return settled.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined)) as Results<Steps>
}

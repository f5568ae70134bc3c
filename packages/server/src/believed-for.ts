/** Caches a yes for `ms` milliseconds. A no is not cached; calls during a question share its answer. */
export function believedFor(
  ms: number,
  ask: () => Promise<boolean>,
  now: () => number,
): () => boolean | Promise<boolean> {
  let until = Number.NEGATIVE_INFINITY
  let asking: Promise<boolean> | null = null

  async function askAnew(): Promise<boolean> {
    const asked = now()
    try {
      const yes = await ask()
      if (yes) until = asked + ms
      return yes
    } finally {
      asking = null
    }
  }

  return () => {
    if (now() < until) return true
    asking ??= askAnew()
    return asking
  }
}

/** Caches an answer for `ms` milliseconds. A `false` is not cached; calls during a question share its answer. */
export function believedFor<T>(ms: number, ask: () => Promise<T>, now: () => number): () => T | Promise<T> {
  let believed: { readonly answer: T; readonly until: number } | null = null
  let asking: Promise<T> | null = null

  async function askAnew(): Promise<T> {
    const asked = now()
    try {
      const answer = await ask()
      believed = answer === false ? null : { answer, until: asked + ms }
      return answer
    } finally {
      asking = null
    }
  }

  return () => {
    if (believed !== null && now() < believed.until) return believed.answer
    asking ??= askAnew()
    return asking
  }
}

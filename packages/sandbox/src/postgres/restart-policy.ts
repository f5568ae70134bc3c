const WINDOW_MS = 60_000
const SHORT_LIFE_MS = 2_000
const LONGEST_DELAY_MS = 5_000

/** One run that has ended: when it was started, and when it ended. */
export type EndedRun = { readonly startedAt: number; readonly endedAt: number }

export type Verdict = { readonly again: true; readonly delayMs: number } | { readonly again: false }

/** Restarts at once after a run that lasted; short runs lead to longer and longer pauses, and `limit` of them within a minute end it. */
export function afterRun(runs: readonly EndedRun[], limit: number): Verdict {
  const last = runs.at(-1)
  if (!last || !isFailure(last)) return { again: true, delayMs: 0 }
  const failures = runs.filter((run) => isFailure(run) && run.endedAt > last.endedAt - WINDOW_MS).length
  if (failures >= limit) return { again: false }
  const delayMs = failures === 1 ? 0 : Math.min(50 * 2 ** (failures - 2), LONGEST_DELAY_MS)
  return { again: true, delayMs }
}

function isFailure(run: EndedRun): boolean {
  return run.endedAt - run.startedAt < SHORT_LIFE_MS
}

import { parentPort } from 'node:worker_threads'
import type { Bug } from './bugs.ts'
import { simulateSeed } from './simulate-seed.ts'

/** Some seeds in a row, for one worker. */
export type Portion = { readonly first: number; readonly count: number; readonly bug: Bug | null }
export type Failure = { readonly seed: number; readonly what: readonly string[] }
/** The number of days on which each kind of event happened. */
export type Tally = ReadonlyMap<string, number>
export type Report = {
  readonly count: number
  readonly steps: number
  readonly failures: readonly Failure[]
  readonly tally: Tally
}

// Refusals are frequent, and nobody reads their stack traces.
Error.stackTraceLimit = 0

const port = parentPort
port?.on('message', async ({ first, count, bug }: Portion) => {
  const failures: Failure[] = []
  const tally = new Map<string, number>()
  let steps = 0
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await simulateSeed(seed, { bug })
    steps += outcome.steps
    for (const kind of outcome.happened) tally.set(kind, (tally.get(kind) ?? 0) + 1)
    const what = outcome.violations.map((violation) => `${violation.invariant}: ${violation.what}`)
    if (what.length > 0) failures.push({ seed, what })
  }
  port.postMessage({ count, steps, failures, tally } satisfies Report)
})

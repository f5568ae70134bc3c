import { Worker } from 'node:worker_threads'
import type { Bug } from './bugs.ts'
import type { Failure, Portion, Report, Tally } from './worker.ts'

export type Plan = {
  readonly first: number
  readonly count: number
  readonly bug?: Bug | null
  readonly workers?: number
  /** Stops after the first portion of seeds with a failure. */
  readonly untilFailure?: boolean
  readonly onProgress?: (done: number, failures: readonly Failure[]) => void
}

export type Summary = {
  readonly done: number
  readonly steps: number
  readonly failures: readonly Failure[]
  readonly tally: Tally
}

const PORTION = 20

/** Many seeds on several threads. */
export async function simulateSeeds(plan: Plan): Promise<Summary> {
  const { first, count, bug = null, workers = 2 } = plan
  const end = first + count
  const failures: Failure[] = []
  const tally = new Map<string, number>()
  let next = first
  let done = 0
  let steps = 0

  const take = (): Portion | null => {
    if (next >= end || (plan.untilFailure === true && failures.length > 0)) return null
    const portion = { first: next, count: Math.min(PORTION, end - next), bug }
    next += portion.count
    return portion
  }

  const employ = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const portion = take()
      if (portion === null) return resolve()
      const worker = new Worker(new URL('./worker.ts', import.meta.url))
      worker.on('error', reject)
      worker.on('exit', () => resolve())
      worker.on('message', (report: Report) => {
        done += report.count
        steps += report.steps
        failures.push(...report.failures)
        for (const [kind, days] of report.tally) tally.set(kind, (tally.get(kind) ?? 0) + days)
        plan.onProgress?.(done, failures)
        const more = take()
        if (more === null) void worker.terminate()
        else worker.postMessage(more)
      })
      worker.postMessage(portion)
    })

  await Promise.all(Array.from({ length: workers }, employ))
  failures.sort((one, other) => one.seed - other.seed)
  return { done, steps, failures, tally }
}

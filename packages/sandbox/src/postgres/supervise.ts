import { setTimeout as pause } from 'node:timers/promises'
import { clearLeftovers } from './leftovers.ts'
import { DataDirInUseError } from './owner-lock.ts'
import { launchPostmaster, type Postmaster, type Run } from './postmaster.ts'
import { afterRun, type EndedRun } from './restart-policy.ts'

export type Supervised = {
  readonly pid: () => number | null
  stop(): Promise<void>
}

/** A first start that fails is more likely a mistake than a mishap, so it is reported soon. */
const FIRST_START_LIMIT = 4
const RESTART_LIMIT = 10

/** Starts PostgreSQL, and restarts it whenever it ends unexpectedly. */
export async function supervise(run: Run): Promise<Supervised> {
  const stopping = new AbortController()
  let current: Postmaster | null = null
  let runs: readonly EndedRun[] = []

  const bringUp = async (limit: number) => {
    for (;;) {
      const startedAt = performance.now()
      try {
        await clearLeftovers(run.place)
        stopping.signal.throwIfAborted()
        current = launchPostmaster(run)
        await current.ready
        return startedAt
      } catch (error) {
        if (stopping.signal.aborted || error instanceof DataDirInUseError) throw error
        await restOrGiveUp(startedAt, limit, error)
      }
    }
  }

  const restOrGiveUp = async (startedAt: number, limit: number, reason: unknown) => {
    runs = [...runs.slice(-RESTART_LIMIT), { startedAt, endedAt: performance.now() }]
    const verdict = afterRun(runs, limit)
    if (!verdict.again) {
      throw new Error(`PostgreSQL failed ${limit} times within a minute and is not started again. ${textOf(reason)}`)
    }
    await pause(verdict.delayMs, undefined, { signal: stopping.signal })
  }

  const keepUp = async (firstStart: number) => {
    let startedAt = firstStart
    for (;;) {
      await current?.ended
      if (stopping.signal.aborted) return
      run.log('PostgreSQL ended unexpectedly and is restarted.')
      await restOrGiveUp(startedAt, RESTART_LIMIT, 'It ended soon after it was ready.')
      startedAt = await bringUp(RESTART_LIMIT)
    }
  }

  const kept = keepUp(await bringUp(FIRST_START_LIMIT)).catch((error: unknown) => {
    if (stopping.signal.aborted) return
    run.log(textOf(error))
  })

  const stop = async () => {
    stopping.abort()
    await current?.stop()
    await kept
  }
  return { pid: () => current?.pid() ?? null, stop }
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}

import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { spawnGuarded } from './guarded-spawn.ts'
import type { Place } from './place.ts'
import { readPostmasterPid } from './postmaster-pid.ts'
import { serverArguments } from './server-arguments.ts'

export type Postmaster = {
  readonly pid: () => number | null
  /** Rejects, with what PostgreSQL said, when it ends before it is ready. */
  readonly ready: Promise<void>
  readonly ended: Promise<void>
  stop(): Promise<void>
}

export type Run = {
  readonly place: Place
  readonly settings: Readonly<Record<string, string>>
  readonly log: (line: string) => void
}

const LONGEST_START_MS = 5 * 60_000
const POLITE_STOP_MS = 5_000
const QUICK_STOP_MS = 5_000

/** One run of the PostgreSQL server, from its start to its end. */
export function launchPostmaster({ place, settings, log }: Run): Postmaster {
  const child = spawnGuarded({
    runAs: place.runAs,
    env: place.env,
    path: place.binaries.postgres,
    args: serverArguments(place, settings),
  })
  const lastLines: string[] = []
  const hear = (line: string) => {
    log(line)
    lastLines.push(line)
    if (lastLines.length > 12) lastLines.shift()
  }
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface(stream).on('line', hear)

  let running = child.pid !== undefined
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      running = false
      resolve()
    }
    child.on('exit', end).on('error', (error) => {
      hear(error.message)
      if (child.pid === undefined) end()
    })
  })

  const becomeReady = async () => {
    const deadline = performance.now() + LONGEST_START_MS
    while (running && performance.now() < deadline) {
      const state = await readPostmasterPid(place.cluster)
      if (running && state?.ready && state.pid === child.pid) return
      await pause(5)
    }
    child.kill('SIGQUIT')
    // Its last lines may still be in the pipe when the end is noticed.
    await pause(20)
    throw new Error(`PostgreSQL did not start:\n${lastLines.join('\n')}`)
  }

  /** A shutdown just after a backend crashed can hang; SIGQUIT ends that too, and recovery loses nothing. */
  const stop = async () => {
    child.kill('SIGINT')
    const quit = setTimeout(() => child.kill('SIGQUIT'), POLITE_STOP_MS)
    const kill = setTimeout(() => child.kill('SIGKILL'), POLITE_STOP_MS + QUICK_STOP_MS)
    await ended
    clearTimeout(quit)
    clearTimeout(kill)
  }

  return { pid: () => (running ? (child.pid ?? null) : null), ready: becomeReady(), ended, stop }
}

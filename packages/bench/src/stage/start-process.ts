import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Memory in bytes after a garbage collection, and the number of active handles. */
export type Memory = {
  readonly rss: number
  readonly heapUsed: number
  readonly arrayBuffers: number
  readonly handles: number
}

/** How late the timers of a process ran, in milliseconds. */
export type Lateness = { readonly p99Ms: number; readonly mostMs: number }

/** A server in its own process, which reports its resource usage. */
export type MeasuredServer = {
  readonly url: string
  cpuMicroseconds(): Promise<number>
  memory(): Promise<Memory>
  /** Measures how late the server's timers run while `work` lasts. */
  watchedDuring<T>(work: () => Promise<T>): Promise<{ readonly done: T; readonly lateness: Lateness }>
  stop(): Promise<void>
}

type Start = {
  /** For Node itself. */
  readonly flags?: readonly string[]
  readonly file: string
  readonly arguments: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  /** Resolves to the server's address once it answers. */
  readonly ready: (message: (name: string) => Promise<unknown>) => Promise<string>
}

const REPORT_USAGE = new URL('./report-usage.ts', import.meta.url).href
const STOP_MS = 15_000

/**
 * The child ends when we do: its standard input is our pipe, and its channel is ours. It gets a session of its own, as from any init
 * system: where Linux schedules by session, it would otherwise share one with the load generator, beside one for each connection of
 * PostgreSQL.
 */
export async function startProcess({
  flags = [],
  file,
  arguments: args,
  environment,
  ready,
}: Start): Promise<MeasuredServer> {
  const child = spawn(process.execPath, [...flags, '--import', REPORT_USAGE, file, ...args], {
    env: environment,
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  const exited = once(child, 'exit')
  const died = exited.then(([code, signal]) => {
    throw new Error(`${file} ended with ${signal ?? code}.`)
  })
  died.catch(() => {})
  const message = async (name: string): Promise<unknown> => {
    for (;;) {
      const [sent] = (await Promise.race([once(child, 'message'), died])) as [Record<string, unknown>]
      if (name in sent) return sent[name]
    }
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await exited
    clearTimeout(force)
  }
  try {
    const url = await Promise.race([ready(message), died])
    const ask = (question: string, answer: string) => {
      const told = message(answer)
      child.send(question)
      return told
    }
    return {
      url,
      cpuMicroseconds: async () => Number(await ask('usage', 'cpuMicroseconds')),
      memory: async () => (await ask('memory', 'memory')) as Memory,
      async watchedDuring(work) {
        await ask('watch lateness', 'watchingLateness')
        const done = await work()
        return { done, lateness: (await ask('lateness', 'lateness')) as Lateness }
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

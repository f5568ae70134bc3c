import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { CLIENT_ID } from './client-id.ts'
import type { IdentityKeys } from './identity-keys.ts'

export type ProviderConfig = {
  readonly issuer: string
  readonly port: number
  readonly keys: IdentityKeys
  readonly clockOffsetMs: number
}

/** What a service is told of the provider. */
export type IdentityPlace = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }

/** The sandbox's OpenID provider: in a thread of its own, because it reads the global Date, which is shifted there. */
export type IdentityProvider = {
  readonly place: IdentityPlace
  setClockOffset(milliseconds: number): Promise<void>
  stop(): Promise<void>
}

type Options = {
  readonly port: number
  readonly keys: IdentityKeys
  readonly clockOffsetMs: number
  readonly log: (line: string) => void
}

const RESTART_MS = 200

/** Starts the provider; should its thread end, another takes its place on the same port. */
export async function startIdentityProvider({ port, keys, log, ...options }: Options): Promise<IdentityProvider> {
  const issuer = `http://127.0.0.1:${port}`
  let { clockOffsetMs } = options
  let stopped = false
  /** The thread from its first moment on, so that one that still starts is stopped and told of the clock too. */
  let worker: Worker | null = null
  await launch()

  async function launch(): Promise<void> {
    const workerData: ProviderConfig = { issuer, port, keys, clockOffsetMs }
    const started = new Worker(new URL('./main.ts', import.meta.url), { workerData, stdout: true, stderr: true })
    worker = started
    for (const input of [started.stdout, started.stderr]) createInterface({ input }).on('line', log)
    let failure: unknown = new Error('Its thread ended at once.')
    started.on('error', (error) => {
      failure = error
      log(`The provider failed: ${error instanceof Error ? error.message : error}`)
    })
    started.once('exit', () => {
      worker = null
    })
    if (!(await hears(started, 'ready'))) throw failure
    started.once('exit', () => {
      if (!stopped) setTimeout(relaunch, RESTART_MS)
    })
  }

  async function relaunch(): Promise<void> {
    if (stopped) return
    try {
      await launch()
    } catch (error) {
      if (stopped) return
      log(`The provider did not start: ${error instanceof Error ? error.message : error}`)
      setTimeout(relaunch, RESTART_MS)
    }
  }

  return {
    place: { issuer, clientId: CLIENT_ID, clientSecret: keys.clientSecret },
    async setClockOffset(milliseconds) {
      clockOffsetMs = milliseconds
      // Without a thread there is nobody to tell: the next one begins with it.
      if (worker === null) return
      const moved = hears(worker, milliseconds)
      worker.postMessage(milliseconds)
      await moved
    },
    async stop() {
      stopped = true
      await worker?.terminate()
    },
  }
}

/** Whether a thread says something before it ends. */
const hears = (worker: Worker, expected: unknown): Promise<boolean> =>
  new Promise((resolve) => {
    const listen = (said: unknown) => said === expected && settle(true)
    const ended = () => settle(false)
    const settle = (heard: boolean) => {
      worker.off('message', listen).off('exit', ended)
      resolve(heard)
    }
    worker.on('message', listen).on('exit', ended)
  })

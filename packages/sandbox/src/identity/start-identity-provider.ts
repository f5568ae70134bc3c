import { once } from 'node:events'
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

/** Starts the provider; should its thread fail, another takes its place on the same port. */
export async function startIdentityProvider({ port, keys, log, ...options }: Options): Promise<IdentityProvider> {
  const issuer = `http://127.0.0.1:${port}`
  let { clockOffsetMs } = options
  let stopped = false
  let worker = await launch()

  async function launch(): Promise<Worker> {
    const workerData: ProviderConfig = { issuer, port, keys, clockOffsetMs }
    const started = new Worker(new URL('./main.ts', import.meta.url), { workerData, stdout: true, stderr: true })
    for (const input of [started.stdout, started.stderr]) createInterface({ input }).on('line', log)
    await once(started, 'message')
    started.on('error', (error) => log(`The provider failed: ${error instanceof Error ? error.message : error}`))
    started.once('exit', () => {
      if (!stopped) setTimeout(relaunch, RESTART_MS)
    })
    return started
  }

  async function relaunch(): Promise<void> {
    if (stopped) return
    try {
      worker = await launch()
    } catch (error) {
      log(`The provider did not start: ${error instanceof Error ? error.message : error}`)
      setTimeout(relaunch, RESTART_MS)
    }
  }

  return {
    place: { issuer, clientId: CLIENT_ID, clientSecret: keys.clientSecret },
    async setClockOffset(milliseconds) {
      clockOffsetMs = milliseconds
      const done = new AbortController()
      const { signal } = done
      const heard = [once(worker, 'message', { signal }), once(worker, 'exit', { signal })]
      worker.postMessage(milliseconds)
      await Promise.race(heard)
      done.abort()
      await Promise.allSettled(heard)
    },
    async stop() {
      stopped = true
      await worker.terminate()
    },
  }
}

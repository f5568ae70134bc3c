import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { PlainError } from './plain-error.ts'
import { serviceFlags } from './service-environment.ts'

export type Serving = {
  /** Settles when the service cannot be kept running. */
  readonly gaveUp: Promise<void>
  stop(): Promise<void>
}

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const STOP_MS = 15_000
const READY_MS = 60_000
const RESTART_MS = 200

/**
 * Runs the service in its own process, and restarts it when it is killed. It ends with this process: its standard input is our
 * pipe.
 */
export async function keepServing(environment: NodeJS.ProcessEnv, url: string): Promise<Serving> {
  let stopping = false
  let child = launch(environment)
  let giveUp: () => void = () => {}
  const gaveUp = new Promise<void>((resolve) => {
    giveUp = resolve
  })

  const watch = (watched: ChildProcess): void => {
    watched.once('exit', (code, signal) => {
      if (stopping) return
      if (signal === null && code !== 0) {
        console.error(`The service ended with code ${code}.`)
        process.exitCode = code ?? 1
        return giveUp()
      }
      console.error(`The service was killed (${signal ?? code}) and is started again.`)
      setTimeout(() => {
        if (stopping) return
        child = launch(environment)
        watch(child)
      }, RESTART_MS)
    })
  }
  watch(child)
  const outcome = await Promise.race([ready(url).then(() => 'ready' as const), gaveUp.then(() => 'gave up' as const)])
  if (outcome === 'gave up') throw new PlainError('The service could not be started; the lines above say why.')
  return {
    gaveUp,
    async stop() {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(force)
    },
  }
}

/** In its own process group: Ctrl-C reaches only us, and we stop it in order. */
const launch = (environment: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, [...serviceFlags, MAIN, 'serve'], {
    env: environment,
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
  })

async function ready(url: string): Promise<void> {
  const until = performance.now() + READY_MS
  while (performance.now() < until) {
    const answer = await fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The service did not answer at ${url}/v1/health within ${READY_MS / 1000} s.`)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { LONGEST_START_MS } from './longest-start.ts'
import { PlainError } from './plain-error.ts'
import { serviceFlags } from './service-environment.ts'

export type Serving = {
  /** Settles when the service cannot be kept running. */
  readonly gaveUp: Promise<void>
  /** True when the service answers at this address, false when it is to be stopped before. */
  answers(url: string): Promise<boolean>
  stop(): Promise<void>
}

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const STOP_MS = 15_000
const TELL_MS = 15_000
const LOOK_EVERY_MS = 50
const RESTART_MS = 200

/**
 * Runs the service in its own process, and restarts it when it is killed. It ends with this process: its standard input is our
 * pipe.
 */
export function keepServing(environment: NodeJS.ProcessEnv, stopped: Promise<void>): Serving {
  let stopping = false
  // Ctrl-C ends the service too: it is not to be started again.
  stopped.then(() => {
    stopping = true
  })
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
      console.error(`The service ${signal === null ? 'was stopped' : `was killed (${signal})`} and is started again.`)
      setTimeout(() => {
        if (stopping) return
        child = launch(environment)
        watch(child)
      }, RESTART_MS)
    })
  }
  watch(child)
  return {
    gaveUp,
    answers: (url) => answers(url, stopped, gaveUp),
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

/** In our process group, so that whoever kills the group leaves no service behind that answers for a moment longer. */
const launch = (environment: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, [...serviceFlags, MAIN, 'serve'], {
    env: environment,
    stdio: ['pipe', 'inherit', 'inherit'],
  })

async function answers(url: string, stopped: Promise<void>, gaveUp: Promise<void>): Promise<boolean> {
  let ended: 'stopped' | 'gave up' | null = null
  stopped.then(() => (ended ??= 'stopped'))
  gaveUp.then(() => (ended ??= 'gave up'))
  const telling = setTimeout(() => console.log('The service is still starting …'), TELL_MS)
  try {
    const until = performance.now() + LONGEST_START_MS
    while (ended === null && performance.now() < until) {
      const answer = await fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
      if (answer?.status === 200) return true
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  } finally {
    clearTimeout(telling)
  }
  if (ended === 'stopped') return false
  throw new PlainError(
    ended === 'gave up'
      ? 'The service could not be started; the lines above say why.'
      : `The service did not answer at ${url}/v1/health within ${LONGEST_START_MS / 60_000} minutes.`,
  )
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A service node in its own process. However it ends, it is restarted, as an operator's supervisor would do. */
export type ServiceNode = {
  readonly name: string
  readonly url: string
  pid(): number | null
  /** A node without a port counts as healthy once it has reported that it is ready. */
  isHealthy(): Promise<boolean>
  stop(): Promise<void>
}

type Start = {
  readonly name: string
  readonly url: string
  readonly environment: NodeJS.ProcessEnv
  readonly log: (line: string) => void
}

const MAIN = fileURLToPath(import.meta.resolve('@guildhall/cli/src/main.ts'))
const RESTART_MS = 100
const STOP_MS = 15_000
const HEALTH_MS = 2_000

export function startNode({ name, url, environment, log }: Start): ServiceNode {
  const listens = environment.GUILDHALL_ROLE !== 'worker'
  let stopping = false
  let isReady = false
  let child = launch()

  function launch(): ChildProcess {
    // It ends with this process: its standard input is our pipe.
    const launched = spawn(process.execPath, [MAIN, 'serve'], { env: environment, stdio: ['pipe', 'pipe', 'pipe'] })
    isReady = false
    for (const output of [launched.stdout, launched.stderr]) createInterface(output).on('line', hear)
    launched.stdin.on('error', () => {})
    launched.once('exit', (code, signal) => {
      log(`ended with ${signal ?? code}`)
      setTimeout(() => {
        if (!stopping) child = launch()
      }, RESTART_MS)
    })
    return launched
  }
  function hear(line: string): void {
    if (line.includes('"msg":"ready"')) isReady = true
    log(line)
  }
  const isAlive = () => child.exitCode === null && child.signalCode === null

  return {
    name,
    url,
    pid: () => (isAlive() ? (child.pid ?? null) : null),
    async isHealthy() {
      if (!listens) return isReady && isAlive()
      const answer = await fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(HEALTH_MS) }).catch(() => null)
      return answer?.status === 200
    },
    async stop() {
      stopping = true
      if (!isAlive()) return
      const ended = once(child, 'exit')
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(force)
    },
  }
}

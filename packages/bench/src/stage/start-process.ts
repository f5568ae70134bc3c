import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A server in a process of its own, whose CPU time can be asked for. */
export type MeasuredServer = {
  readonly url: string
  cpuMicroseconds(): Promise<number>
  stop(): Promise<void>
}

type Start = {
  readonly file: string
  readonly arguments: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  /** Gives the server's address once it answers. */
  readonly ready: (message: (name: string) => Promise<unknown>) => Promise<string>
}

const REPORT_USAGE = new URL('./report-usage.ts', import.meta.url).href
const STOP_MS = 15_000

/** The child ends when we do: its standard input is our pipe, and its channel is ours. */
export async function startProcess({ file, arguments: args, environment, ready }: Start): Promise<MeasuredServer> {
  const child = spawn(process.execPath, ['--import', REPORT_USAGE, file, ...args], {
    env: environment,
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
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
    const cpuMicroseconds = async () => {
      const told = message('cpuMicroseconds')
      child.send('usage')
      return Number(await told)
    }
    return { url, cpuMicroseconds, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@guildhall/sandbox'
import type { Environment } from '../../src/config/environment-reader.ts'
import { nodeEnvironment } from './node-environment.ts'
import type { Stage } from './stage.ts'
import { until } from './until.ts'

/** A service node in a process of its own, which can die. */
export type NodeProcess = {
  readonly url: string
  readonly died: Promise<NodeJS.Signals | null>
  /** Everything that it has written so far, its log above all. */
  said(): string
  /** Asks it to end, as an operator does, and gives its exit code. */
  terminate(): Promise<number | null>
  stop(): Promise<void>
}

const MAIN = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))

/** A start takes three seconds, and many times that on a machine that is busy with other tests. */
const PATIENCE_MS = 120_000

/** A node that does not listen is ready when its log says so; it needs a level at which it does. `main` is another release's. */
export async function startNodeProcess(stage: Stage, settings: Environment, main = MAIN): Promise<NodeProcess> {
  const port = Number(settings.PORT ?? (await freePort()))
  const given = settings.GUILDHALL_DATA_DIR
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'guildhall-process-')))
  const depths = { confirmations: 1, finality: 1 }
  const environment = nodeEnvironment(stage.parts, { port, dataDir, depths, settings })
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written: string[] = []
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => void written.push(text))
  }
  const died = once(child, 'close').then(([, signal]) => signal as NodeJS.Signals | null)
  const url = `http://127.0.0.1:${port}`
  const terminate = async () => {
    child.kill('SIGTERM')
    await died
    return child.exitCode
  }
  const stop = async () => {
    if (isAlive(child)) child.kill('SIGKILL')
    await died
    if (given === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  const said = () => written.join('')
  const isReady = async () =>
    settings.GUILDHALL_ROLE === 'worker'
      ? said().includes('"msg":"ready"')
      : await fetch(`${url}/v1/health`).then(
          ({ status }) => status === 200,
          () => false,
        )
  await until(isReady, (ready) => ready || !isAlive(child), PATIENCE_MS).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { url, died, said, terminate, stop }
}

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

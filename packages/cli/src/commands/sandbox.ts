import { startParts } from '@guildhall/sandbox'
import { findRunning, type RunningSandbox } from '@guildhall/sandbox/running-sandbox'
import { reachableUrl } from '@guildhall/server'
import { createLog, migrate, SettingsError } from '@guildhall/server/desk'
import { checkDatabaseUrl } from '../check-database-url.ts'
import { checkPort } from '../check-port.ts'
import { DEFAULT_PORT, DEFAULT_URL } from '../default-url.ts'
import { keepServing } from '../keep-serving.ts'
import { logToFile } from '../log-to-file.ts'
import { makeDataDir } from '../make-data-dir.ts'
import { sandboxDataDir } from '../sandbox-data-dir.ts'
import { environmentOn } from '../service-environment.ts'
import { untilStopped } from '../until-stopped.ts'

/** Starts the real parts and the service on them; on a data directory in use with the same DATABASE_URL it joins as a second node. */
export async function runSandbox(): Promise<void> {
  const host = process.env.HOST || '127.0.0.1'
  const port = portFrom(process.env.PORT || DEFAULT_PORT)
  const dataDir = sandboxDataDir()
  const databaseUrl = process.env.DATABASE_URL || null
  if (databaseUrl !== null) checkDatabaseUrl(databaseUrl)
  await checkPort(host, port)
  const stopped = untilStopped()
  const running = databaseUrl === null ? null : await findRunning(dataDir)
  if (running && running.databaseUrl === databaseUrl) return join(running, { host, port, dataDir, stopped })

  const began = performance.now()
  console.log('Guildhall sandbox: starting PostgreSQL, three chains, facilitator, mail and OpenID provider …')
  const parts = await startParts({ dataDir, databaseUrl, log: logTo(dataDir) })
  try {
    await migrate(parts.databaseUrl, createLog('warn'))
    const environment = environmentOn(parts, { host, port, nodeDir: `${dataDir}/node-${port}` })
    const url = reachableUrl(host, port)
    const tell = () => printPlaces(url, parts, (performance.now() - began) / 1000)
    await serve(environment, { url, stopped, tell })
  } finally {
    await parts.stop()
  }
  console.log('Stopped. Everything is kept in', dataDir)
}

function portFrom(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536) return Number(text)
  throw new SettingsError([`PORT is '${text}', but a whole number from 1 to 65535 is needed.`])
}

/** The parts log to a file next to their data, so that the terminal stays readable. */
function logTo(dataDir: string): (line: string) => void {
  makeDataDir(dataDir)
  return logToFile(`${dataDir}/sandbox.log`)
}

type Joining = {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly stopped: Promise<void>
}

async function join(running: RunningSandbox, { host, port, dataDir, stopped }: Joining): Promise<void> {
  const environment = environmentOn(running, { host, port, nodeDir: `${dataDir}/node-${port}` })
  const url = reachableUrl(host, port)
  const tell = () => console.log(`Guildhall: joined the running sandbox as another node at ${url}`)
  await serve(environment, { url, stopped, tell })
}

type Place = {
  readonly url: string
  readonly stopped: Promise<void>
  /** Called when the service answers. */
  readonly tell: () => void
}

/** Runs the service until this process is stopped, or the service cannot be kept running. */
async function serve(environment: NodeJS.ProcessEnv, { url, stopped, tell }: Place): Promise<void> {
  const service = keepServing(environment, stopped)
  try {
    if (await service.answers(url)) {
      tell()
      await Promise.race([stopped, service.gaveUp])
    }
    console.log('\nStopping …')
  } finally {
    await service.stop()
  }
}

function printPlaces(url: string, parts: Awaited<ReturnType<typeof startParts>>, seconds: number): void {
  const rows: [string, string][] = [
    ['Guildhall', url],
    ['console', `${url}/console`],
    ['API reference', `${url}/docs`],
    ['task board', `${url}/board`],
    ['ledger', `${url}/ledger`],
    ['status', `${url}/status`],
    ['health', `${url}/v1/health`],
    ...parts.chains.map(({ network, rpcUrl }): [string, string] => [`chain ${network}`, rpcUrl]),
    ['facilitator', parts.facilitatorUrl],
    ['mail', parts.mailUrl],
    ['OpenID provider', parts.identity.issuer],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const demo = url === DEFAULT_URL ? 'npm run demo' : `npm run demo -- --url ${url}`
  const lines = [
    `\nReady in ${seconds.toFixed(1)} s.\n`,
    ...rows.map(([name, place]) => `  ${name.padEnd(width)}  ${place}`),
    `\n  Watch an agent get paid:  ${demo}\n  Stop:                     Ctrl-C\n`,
  ]
  console.log(lines.join('\n'))
}

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { networksSetting, serviceEnvironment, serviceFlags } from '@guildhall/cli/src/service-environment.ts'
import { freePort, type Parts } from '@guildhall/sandbox'
import { type MeasuredServer, startProcess } from './start-process.ts'

const HOST = '127.0.0.1'
const MAIN = fileURLToPath(import.meta.resolve('@guildhall/cli/src/main.ts'))
const LOOK_EVERY_MS = 50
const READY_MS = 60_000
/** More than are ever opened here. */
const STREAMS = 20_000

/** The service as the sandbox runs it, on a database that has been migrated. */
export async function startServiceNode(parts: Parts, dataDir: string, databaseUrl: string): Promise<MeasuredServer> {
  const port = await freePort()
  const environment = serviceEnvironment({
    host: HOST,
    port,
    nodeDir: join(dataDir, `node-${port}`),
    databaseUrl,
    controlUrl: parts.controlUrl,
    keys: parts.keys,
    networks: networksSetting(parts.chains, parts.facilitatorUrl),
    smtpUrl: parts.smtpUrl,
    identity: parts.identity,
  })
  const url = `http://${HOST}:${port}`
  return startProcess({
    flags: serviceFlags,
    file: MAIN,
    arguments: ['serve'],
    environment: { ...environment, GUILDHALL_MAX_STREAMS: String(STREAMS) },
    ready: () => answering(url),
  })
}

async function answering(url: string): Promise<string> {
  const until = performance.now() + READY_MS
  while (performance.now() < until) {
    const answer = await fetch(`${url}/v1/health`).catch(() => null)
    if (answer?.status === 200) return url
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  throw new Error(`The service did not answer at ${url} within ${READY_MS / 1000} s.`)
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { moveDate } from '../facilitator/moved-date.ts'
import { createPartServer } from '../part-server.ts'
import { openAccounts } from './accounts.ts'
import type { ProviderConfig } from './start-identity-provider.ts'

const config = workerData as ProviderConfig
const setClockOffset = moveDate()
setClockOffset(config.clockOffsetMs)
parentPort?.on('message', (offsetMs: number) => {
  setClockOffset(offsetMs)
  parentPort?.postMessage(offsetMs)
})

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>
let answer: Promise<Answer> | null = null

/** Most sandboxes never see a person: the provider is loaded when the first one comes. */
async function load(): Promise<Answer> {
  const [{ createProvider }, { serveProvider }] = await Promise.all([
    import('./create-provider.ts'),
    import('./serve-provider.ts'),
  ])
  const accounts = openAccounts()
  return serveProvider(createProvider(config.issuer, config.keys, accounts), accounts)
}

createPartServer((request, response) => {
  answer ??= load()
  answer
    .then((give) => give(request, response))
    .catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain' })
      response.end('This sign-in is over: begin again.\n')
    })
}).listen(config.port, '127.0.0.1', () => parentPort?.postMessage('ready'))

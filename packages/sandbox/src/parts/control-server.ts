import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Address } from 'viem'
import { createPartServer } from '../part-server.ts'
import type { Control, Faults } from './control.ts'

export type ControlServer = { readonly url: string; stop(): Promise<void> }

/** The control over loopback HTTP, shared by all nodes of a sandbox. */
export async function startControlServer(control: Control, port: number): Promise<ControlServer> {
  const server = createPartServer((request, response) => {
    answer(control, request, response).catch((error: unknown) => {
      send(response, 500, { error: error instanceof Error ? error.message : String(error) })
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(control: Control, request: IncomingMessage, response: ServerResponse): Promise<void> {
  switch (`${request.method} ${request.url}`) {
    case 'GET /places':
      return send(response, 200, control.places())
    case 'GET /clock':
      return send(response, 200, { offsetMs: control.offsetMs() })
    case 'GET /clock/moves':
      return streamMoves(control, response)
    case 'POST /clock': {
      const { seconds } = (await json(request)) as { seconds: number }
      return send(response, 200, { offsetMs: await control.advance(seconds) })
    }
    case 'POST /mint': {
      const { network, address, atomic } = (await json(request)) as {
        network: string
        address: Address
        atomic: string
      }
      return send(response, 200, await control.mint(network, address, BigInt(atomic)))
    }
    case 'POST /faults':
      return send(response, 200, await control.setFaults((await json(request)) as Faults))
    default:
      return send(response, 404, { error: 'not found' })
  }
}

/** One line per move, beginning with where the clock stands. */
function streamMoves(control: Control, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' })
  response.write(`${control.offsetMs()}\n`)
  const stop = control.onMove((offsetMs) => response.write(`${offsetMs}\n`))
  response.on('close', stop)
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

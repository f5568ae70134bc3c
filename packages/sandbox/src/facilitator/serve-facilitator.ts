import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createPartServer } from '../part-server.ts'
import { type Answer, answerCall } from './answer-call.ts'
import type { FaultSwitch } from './fault.ts'
import type { OfficialFacilitator } from './official-facilitator.ts'

const BODY_LIMIT = 256 * 1024

/** The facilitator's HTTP interface. */
export function serveFacilitator(facilitator: OfficialFacilitator, faults: FaultSwitch): Server {
  return createPartServer((request, response) => {
    answer(request, facilitator, faults)
      .catch((error): Answer => {
        console.error(error)
        return { status: 500, body: { error: 'unexpected_error' } }
      })
      .then((answered) => send(response, answered))
  })
}

async function answer(
  request: IncomingMessage,
  facilitator: OfficialFacilitator,
  faults: FaultSwitch,
): Promise<Answer> {
  switch (`${request.method} ${request.url}`) {
    case 'GET /health':
      return faults.current() === 'down' ? null : { status: 200, body: { ok: true } }
    case 'GET /supported':
      return faults.current() === 'down' ? null : { status: 200, body: facilitator.supported() }
    case 'POST /verify':
    case 'POST /settle': {
      const text = await readBody(request)
      if (text === null) return { status: 413, body: { error: 'body_too_large' } }
      return answerCall(request.url === '/verify' ? 'verify' : 'settle', text, facilitator, faults)
    }
    default:
      return { status: 404, body: { error: 'not_found' } }
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= BODY_LIMIT) chunks.push(chunk)
  }
  return size > BODY_LIMIT ? null : Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, answered: Answer): void {
  if (answered === null) {
    response.socket?.destroy()
    return
  }
  response.writeHead(answered.status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(answered.body))
}

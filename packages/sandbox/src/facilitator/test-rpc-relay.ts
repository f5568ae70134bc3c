import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A relay that stumbles answers every call with an internal error; one that forgets loses the answer to a broadcast. */
type RelayMode = 'faithful' | 'stumbles' | 'forgets'

/** Stands between the facilitator and a node. */
export async function startRpcRelay(rpcUrl: string) {
  let mode: RelayMode = 'faithful'
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request)
      const answer = mode === 'stumbles' ? stumble(body) : await pass(rpcUrl, body)
      if (mode === 'forgets' && body.includes('eth_sendRawTransaction')) throw new Error('The answer is lost.')
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    } catch {
      response.socket?.destroy()
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turn(next: RelayMode) {
      mode = next
    },
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function pass(rpcUrl: string, body: string): Promise<string> {
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return answer.text()
}

function stumble(body: string): string {
  const error = { code: -32603, message: 'The chain does not answer.' }
  return JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, error })
}

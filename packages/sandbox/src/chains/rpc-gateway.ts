import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPartServer } from '../part-server.ts'
import { changesChain } from './call-kind.ts'
import type { DurableChain } from './durable-chain.ts'
import { RpcError } from './rpc-error.ts'

/** JSON-RPC over HTTP on the loopback interface: `/` for everyone, `/service` for the parts whose connection may be cut. */
export type RpcGateway = { readonly url: string; readonly serviceUrl: string; stop(): Promise<void> }

/** A quiet chain falls behind the clock by at most this many seconds: a read mines a block first. */
const MAXIMUM_AGE_SECONDS = 10
const MAXIMUM_BODY_BYTES = 8 * 1024 * 1024

export async function startRpcGateway(options: {
  readonly chain: DurableChain
  readonly port: number
  readonly cutsService: () => boolean
}): Promise<RpcGateway> {
  const { chain, cutsService } = options
  const server = createPartServer((request, response) => {
    if (request.method !== 'OPTIONS' && request.url === '/service' && cutsService()) {
      request.socket.resetAndDestroy()
      return
    }
    respond(chain, request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    serviceUrl: `${url}service`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(chain: DurableChain, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('access-control-allow-origin', '*')
  if (request.method === 'OPTIONS') {
    response.setHeader('access-control-allow-methods', 'POST')
    response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
    response.setHeader('access-control-allow-private-network', 'true')
    response.writeHead(204).end()
    return
  }
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST, OPTIONS' }).end()
    return
  }
  const body = await readBody(request)
  response.setHeader('content-type', 'application/json')
  if (body === null) response.writeHead(413).end(errorText(null, -32600, 'The request is too large.'))
  else response.end(await answer(chain, body))
}

async function answer(chain: DurableChain, body: string): Promise<string> {
  const parsed = parse(body)
  if (parsed === undefined) return errorText(null, -32700, 'The request is no JSON.')
  if (!Array.isArray(parsed)) return answerOne(chain, parsed)
  const answers: string[] = []
  for (const one of parsed) answers.push(await answerOne(chain, one))
  return `[${answers.join(',')}]`
}

async function answerOne(chain: DurableChain, request: unknown): Promise<string> {
  if (!isCall(request)) return errorText(null, -32600, 'A request has a method and params.')
  const id = request.id ?? null
  try {
    if (changesChain(request.method)) {
      return JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: (await chain.change(request.method, request.params ?? [])) ?? null,
      })
    }
    if (request.method.endsWith('_getAutomine')) {
      return JSON.stringify({ jsonrpc: '2.0', id, result: (await chain.rules()).automine })
    }
    await chain.keepUp(MAXIMUM_AGE_SECONDS, 1)
    return await chain.read(JSON.stringify({ ...request, jsonrpc: '2.0', id }))
  } catch (error) {
    if (error instanceof RpcError) return errorText(id, error.code, error.message, error.data)
    return errorText(id, -32603, error instanceof Error ? error.message : 'The chain does not answer.')
  }
}

type Call = { readonly id?: unknown; readonly method: string; readonly params?: readonly unknown[] }

function isCall(request: unknown): request is Call {
  if (request === null || typeof request !== 'object' || !('method' in request)) return false
  return typeof request.method === 'string' && (!('params' in request) || Array.isArray(request.params))
}

function errorText(id: unknown, code: number, message: string, data?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAXIMUM_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Reply = { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> }

/** Speaks for all package registries, by path. */
export type RegistryStandIn = {
  readonly url: string
  /** What was asked for, in order. */
  readonly asked: string[]
  readonly replies: Map<string, Reply>
  stop(): void
}

export async function startRegistryStandIn(): Promise<RegistryStandIn> {
  const asked: string[] = []
  const replies = new Map<string, Reply>()
  const answer = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    asked.push(url)
    const { status, body, headers } = replies.get(url) ?? { status: 404, body: { error: 'not found' } }
    response.writeHead(status ?? 200, { 'Content-Type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, replies, stop: () => void server.close() }
}

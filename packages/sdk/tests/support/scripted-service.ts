import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createGuildhall, type GuildhallOptions } from '../../src/index.ts'

export type SeenRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export type ScriptedAnswer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What the service does with one request: answer, or take it and drop the connection. */
export type Step = ScriptedAnswer | 'drop' | ((request: SeenRequest) => ScriptedAnswer | 'drop')

export type ScriptedService = { readonly url: string; readonly seen: readonly SeenRequest[] }

/** A real HTTP server that follows a script, one step a request; a request beyond the script is answered 500. */
export async function scriptedService(...script: readonly Step[]): Promise<ScriptedService> {
  const seen: SeenRequest[] = []
  const server = createServer(async (incoming, response) => {
    const request = await read(incoming)
    const step = script[seen.length] ?? { status: 500, body: { error: 'internal_error', message: 'beyond the script' } }
    seen.push(request)
    const answer = typeof step === 'function' ? step(request) : step
    if (answer === 'drop') return incoming.socket.destroy()
    response.writeHead(answer.status ?? 200, { ...USUAL, ...answer.headers })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? { ok: true }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

async function read(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const headers = incoming.headers as Record<string, string | undefined>
  const { method = '', url: path = '' } = incoming
  return { method, path, headers, body: Buffer.concat(chunks).toString('utf8') }
}

export const NOW = Date.UTC(2030, 0, 1)

const USUAL = { 'Content-Type': 'application/json', Date: new Date(NOW).toUTCString() }

export const KEY = new Uint8Array(32).fill(7)

/** A client of a scripted service whose clock stands still and whose waiting takes no time; `waits` keeps it. */
export function clientOf(service: { readonly url: string }, options: Partial<GuildhallOptions> = {}) {
  const waits: number[] = []
  const sleep = async (ms: number) => {
    waits.push(ms)
  }
  const client = createGuildhall({
    baseUrl: service.url,
    key: KEY,
    clock: () => NOW,
    random: () => 0.5,
    sleep,
    ...options,
  })
  return { ...client, waits }
}

export const refusal = (
  status: number,
  error: string,
  extra: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): ScriptedAnswer => ({
  status,
  headers,
  body: { error, message: `about ${error}`, request_id: 'req_12345678', ...extra },
})

/** What a call failed with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('the call did not fail')
}

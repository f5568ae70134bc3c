import { connect } from 'node:net'
import { encodePublicKey, generateKey, type KeyPair, signRequest } from '@guildhall/protocol'
import { createTimer } from '../../src/create-timer.ts'
import type { Agent } from '../../src/domain/agent/agent.ts'
import { createRouter, type RouterOptions } from '../../src/http/router.ts'
import { type HttpServer, type HttpServerOptions, startHttpServer } from '../../src/http/server.ts'
import { declarations, handlers, type TestHandlers } from './test-declarations.ts'
import { createTestWindows } from './test-windows.ts'

export type Logged = { readonly level: string; readonly message: string; readonly fields: Record<string, unknown> }

export type TestNode = HttpServer & {
  readonly logged: readonly Logged[]
  /** Agents that are registered; the clock stands still at `now`. */
  readonly agents: Map<string, Agent>
  now: number
  call(path: string, init?: RequestInit): Promise<Response>
  /** Sends text as it stands and gives everything that came back until the connection ended. */
  raw(text: string | Buffer): Promise<string>
}

type Overrides = Partial<Omit<RouterOptions<typeof declarations>, 'handlers'>> & {
  readonly handlers?: Partial<TestHandlers>
  readonly server?: Partial<HttpServerOptions>
}

/** A node with these endpoints on a free port of the loopback. */
export async function startTestNode(overrides: Overrides = {}): Promise<TestNode> {
  const logged: Logged[] = []
  const note =
    (level: string) =>
    (message: string, fields = {}) =>
      void logged.push({ level, message, fields })
  const log = { info: note('info'), warn: note('warn'), alarm: note('alarm') }
  const agents = new Map<string, Agent>()
  const router = createRouter({
    endpoints: declarations,
    findAgent: async (id) => agents.get(id) ?? null,
    hit: createTestWindows(),
    now: () => node.now,
    timer: createTimer(),
    log,
    sandbox: false,
    registrationLimited: true,
    checkAnswers: true,
    ...overrides,
    handlers: { ...handlers, ...overrides.handlers },
  })
  const server = await startHttpServer({ port: 0, host: '127.0.0.1', router, log, ...overrides.server })
  const node: TestNode = {
    ...server,
    logged,
    agents,
    now: 1_800_000_000_000,
    call: (path, init) => fetch(server.url + path, init),
    raw: (text) => rawExchange(Number(new URL(server.url).port), text),
  }
  return node
}

/** A registered agent, as far as a signature asks for one. */
export function registered(node: TestNode, keys: KeyPair = generateKey()) {
  const publicKey = encodePublicKey(keys.publicKey)
  const id = `ag_${publicKey}`
  node.agents.set(id, { id, publicKey, status: 'active' } as Agent)
  const sign = (method: string, path: string, options: { body?: string; at?: number; nonce?: string } = {}) => ({
    ...signRequest({
      secretKey: keys.secretKey,
      method,
      path,
      body: options.body,
      timestamp: Math.floor((options.at ?? node.now) / 1000),
      ...(options.nonce === undefined ? {} : { nonce: options.nonce }),
    }),
  })
  return { id, publicKey, keys, sign }
}

function rawExchange(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let received = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? null : reject(error)))
    socket.on('close', () => resolve(received))
  })
}

export const statusOfRaw = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
export const bodyOfRaw = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

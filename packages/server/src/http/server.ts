import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { limits, SECOND } from '@guildhall/protocol'
import type { Log } from '../ports/log.ts'
import { answerClientError, refuseTunnel } from './client-error.ts'
import { listenOn } from './listen-on.ts'
import { reachableUrl } from './reachable-url.ts'
import type { Router } from './router.ts'

export type HttpServerOptions = {
  readonly port: number
  readonly host: string
  readonly router: Router
  readonly log: Log
  readonly maxConnections?: number
  /** How long health answers no before the port closes, so that load balancers notice. */
  readonly drainMs?: number
  readonly headersTimeoutMs?: number
  readonly requestTimeoutMs?: number
  readonly keepAliveTimeoutMs?: number
  /** A connection without traffic for this long is closed. */
  readonly silenceTimeoutMs?: number
}

export type HttpServer = {
  readonly url: string
  /** Health answers no, no more connections are accepted, running requests may finish within `graceMs`, the rest is cut. */
  stop(graceMs: number): Promise<void>
}

const MAX_CHECK_INTERVAL_MS = 1 * SECOND

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, router, log } = options
  const server = createConfiguredServer(options)
  await listenOn(server, options)
  server.on('error', (error) => log.alarm('The HTTP server failed', { error: error.message }))
  return {
    url: reachableUrl(host, (server.address() as AddressInfo).port),
    stop: (graceMs) => stop(server, router, options, graceMs),
  }
}

function createConfiguredServer(options: HttpServerOptions): Server {
  const headersTimeout = options.headersTimeoutMs ?? 10 * SECOND
  const requestTimeout = options.requestTimeoutMs ?? 30 * SECOND
  const server = createServer({
    headersTimeout,
    requestTimeout,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 65 * SECOND,
    connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, headersTimeout / 4, requestTimeout / 4),
    maxHeaderSize: limits.headers.bytes,
    requireHostHeader: false,
    // Most requests have no body, and a stream that tells so is a sixth of what Node does for a short answer.
    optimizeEmptyRequests: true,
  })
  server.maxConnections = options.maxConnections ?? 10_000
  server.timeout = options.silenceTimeoutMs ?? 120 * SECOND
  const current = new WeakMap<Duplex, ServerResponse>()
  const answer = (request: Parameters<Router['handle']>[0], response: ServerResponse) => {
    current.set(request.socket, response)
    void options.router.handle(request, response)
  }
  server.on('request', answer).on('checkExpectation', answer)
  server.on('clientError', (error, socket) => answerClientError(error, socket, current.get(socket)))
  server.on('connect', ({ socket }) => refuseTunnel(socket, current.get(socket)))
  return server
}

async function stop(
  server: Server,
  router: Router,
  { drainMs = 0 }: HttpServerOptions,
  graceMs: number,
): Promise<void> {
  router.drain()
  if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs))
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(cut)
}

import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import type { Outgoing, OutgoingOutcome, OutgoingRequest } from '../ports/outgoing.ts'
import { type CheckedTarget, checkTarget } from './checked-target.ts'
import { createMayCall } from './public-address.ts'
import { type ResolveName, resolveName } from './resolve-name.ts'

export type GuardOptions = {
  /** Networks that may be called although they are not public, such as `127.0.0.0/8`. */
  readonly allowed: readonly string[]
  readonly resolve?: ResolveName
}

const MAX_HEADER_BYTES = 16 * 1024

/**
 * Calls addresses that users choose. It connects to the very IP addresses that were checked, even if the name resolves
 * differently a moment later.
 */
export function createGuardedFetch({ allowed, resolve = resolveName }: GuardOptions): Outgoing {
  const mayCall = createMayCall(allowed)
  return async (request) => {
    const deadline = AbortSignal.timeout(request.timeoutMs)
    const target = await Promise.race([checkTarget(request.url, mayCall, resolve), over(deadline)])
    return 'kind' in target ? target : call(target, request, deadline)
  }
}

const LATE = { kind: 'unreachable', reason: 'The address did not answer in time.' } as const

const over = (deadline: AbortSignal): Promise<typeof LATE> =>
  new Promise((resolve) => deadline.addEventListener('abort', () => resolve(LATE), { once: true }))

function call(target: CheckedTarget, request: OutgoingRequest, deadline: AbortSignal): Promise<OutgoingOutcome> {
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve(deadline.aborted ? LATE : unreachable(error))
    try {
      const sent = open(target, request, deadline)
      let answered = false
      sent.on('error', failed)
      sent.on('response', (answer) => {
        answered = true
        read(answer, request.maxBytes).then(resolve, failed)
      })
      // After a 101 Node drops the request without an error or a response, and the deadline would not end it either.
      sent.on('close', () => answered || failed(new Error('The request ended without an answer.')))
      sent.end(request.body)
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

function open({ url, host, addresses }: CheckedTarget, request: OutgoingRequest, signal: AbortSignal): ClientRequest {
  const body = request.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(request.body)) }
  const begin = url.protocol === 'https:' ? requestHttps : requestHttp
  return begin({
    protocol: url.protocol,
    host,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers: { 'Accept-Encoding': 'identity', ...request.headers, ...body, Connection: 'close' },
    lookup: pinnedTo(addresses),
    // A new connection, which ignores any proxy set in the environment.
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  })
}

/** A DNS lookup that returns the checked addresses. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, options, answer) => {
    const [first] = found
    if (options.all) answer(null, found)
    else answer(null, first?.address ?? '', first?.family ?? 4)
  }
}

async function read(answer: IncomingMessage, maxBytes: number): Promise<OutgoingOutcome> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) break
  }
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
  const body = Buffer.concat(chunks).subarray(0, maxBytes)
  return { kind: 'answer', status: answer.statusCode ?? 0, headers, body, cut: size > maxBytes }
}

/** Says which step failed, without revealing anything about our own network. */
function unreachable(error: Error & { readonly code?: string }): OutgoingOutcome {
  const code = error.code ?? ''
  const known = PROBLEMS.find(([pattern]) => pattern.test(code))
  return { kind: 'unreachable', reason: known?.[1] ?? 'The address could not be reached.' }
}

const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'The address refused the connection.'],
  [/^(ECONNRESET|EPIPE)$/, 'The connection broke off.'],
  [/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/, 'The certificate of the address does not hold.'],
  [/^HPE_/, 'The answer is not HTTP.'],
]

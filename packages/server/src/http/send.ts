import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@guildhall/protocol'
import { etagOf, matchesEtag } from './etag.ts'
import type { Exchange } from './exchange.ts'
import { httpDate } from './http-date.ts'
import { policyText } from './rate-limit.ts'
import { announcesBody } from './read-body.ts'
import type { Head } from './response-heads.ts'

const LINGER_BYTES = 4 * 1024 * 1024
const LINGER_MS = 2_000

/** Writes the whole answer; ASCII text, which is nearly all, is sent without encoding. `length` is in bytes. */
export function send(
  exchange: Exchange,
  status: number,
  head: Head,
  body: string | Uint8Array,
  length = Buffer.byteLength(body),
): void {
  const { request, response } = exchange
  const endless = hasEndlessRest(request)
  const written = beginHead(exchange, head, endless)
  written.push('Content-Length', String(length))
  response.writeHead(status, written)
  if (endless) sendThenLinger(request, response, body)
  else if (length === body.length) response.end(body, 'latin1')
  else response.end(body)
}

/** Writes the answer with its ETag, or 304 when the caller already has it. */
export function sendRevalidated(exchange: Exchange, status: number, head: Head, body: string | Uint8Array): void {
  sendDocument(exchange, status, head, { text: body, length: Buffer.byteLength(body), etag: etagOf(body) })
}

type Tagged = { readonly text: string | Uint8Array; readonly length: number; readonly etag: string }

/** The same for text whose ETag is known. */
export function sendDocument(exchange: Exchange, status: number, head: Head, { text, length, etag }: Tagged): void {
  const ifNoneMatch = exchange.request.headers['if-none-match']
  exchange.extra.push('ETag', etag)
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) sendEmpty(exchange, 304, head)
  else send(exchange, status, head, text, length)
}

export function sendEmpty(exchange: Exchange, status: 204 | 304, head: Head): void {
  exchange.response.writeHead(status, beginHead(exchange, head, hasEndlessRest(exchange.request))).end()
}

export function sendStream(
  exchange: Exchange,
  status: number,
  head: Head,
  stream: (response: ServerResponse) => void,
): void {
  exchange.response.writeHead(status, beginHead(exchange, head, false))
  if (exchange.request.method === 'HEAD') exchange.response.end()
  else stream(exchange.response)
}

function beginHead({ request, requestId, route, extra, node }: Exchange, head: Head, last: boolean): string[] {
  const written = head.slice()
  // Node would write the machine's time, but a sandbox's clock may have been moved.
  written.push('Date', httpDate(node.now()), 'X-Request-Id', requestId, ...extra)
  if (route !== null && route.limits.length > 0 && !extra.includes('RateLimit-Policy'))
    written.push('RateLimit-Policy', policyText(route.limits, request.headers.authorization !== undefined))
  if (last || node.draining) written.push('Connection', 'close')
  return written
}

/** A refused, unread body that is larger than what Node may drain after the answer. */
const hasEndlessRest = (request: IncomingMessage): boolean =>
  !request.complete &&
  announcesBody(request) &&
  !(Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= limits.body.bytes)

/** Closing at once would reset the connection while the caller is still sending, and the answer would be lost. */
function sendThenLinger(request: IncomingMessage, response: ServerResponse, body: string | Uint8Array): void {
  let left = LINGER_BYTES
  const end = () => {
    clearTimeout(timer)
    request.off('data', take)
    if (!response.writableEnded) response.end()
  }
  const take = (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) end()
  }
  const timer = setTimeout(end, LINGER_MS)
  response.write(body)
  request.on('data', take).once('end', end).once('close', end)
}

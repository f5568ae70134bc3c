import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errors } from '@guildhall/protocol'
import { newRequestId } from './exchange.ts'
import { refusalText } from './refusal-answer.ts'
import { REFUSED } from './response-heads.ts'

type Cause = readonly [code: ErrorCode, message?: string]

const CAUSES: Readonly<Record<string, Cause>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout'],
}
const TUNNEL: Cause = ['method_not_allowed', 'This service is not a proxy.']
const MALFORMED: Cause = ['bad_request', 'The request is not well-formed HTTP/1.1.']

/** Answers input that Node could not parse as a request, in the shape of every other refusal, and closes the connection. */
export function answerClientError(
  error: Error & { code?: string },
  socket: Duplex,
  current: ServerResponse | undefined,
): void {
  if (!socket.writable || error.code === 'ECONNRESET' || !mayWrite(current)) {
    socket.destroy()
    return
  }
  socket.end(answerText(CAUSES[error.code ?? ''] ?? MALFORMED), () => socket.destroy())
}

/** Refuses CONNECT, which Node hands over as a bare socket. No method is allowed at an address elsewhere. */
export function refuseTunnel(socket: Duplex, current: ServerResponse | undefined): void {
  socket.on('error', () => socket.destroy())
  if (!mayWrite(current)) socket.destroy()
  else socket.end(answerText(TUNNEL, ['Allow', '']), () => socket.destroy())
}

/** Raw bytes must not end up inside an answer that has begun, or be taken for the answer to an earlier request. */
function mayWrite(current: ServerResponse | undefined): boolean {
  if (current === undefined || current.writableFinished) return true
  return !current.headersSent && !current.req.complete
}

function answerText([code, message = errors[code].message]: Cause, extra: readonly string[] = []): string {
  const { status } = errors[code]
  const requestId = newRequestId()
  const body = refusalText(code, message, requestId)
  const head = [
    ...REFUSED,
    ...extra,
    'X-Request-Id',
    requestId,
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Connection',
    'close',
  ]
  const lines: string[] = []
  for (let at = 0; at < head.length; at += 2) lines.push(`${head[at]}: ${head[at + 1]}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

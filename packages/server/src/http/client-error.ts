import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorCode } from '@guildhall/protocol'
import { newRequestId } from './exchange.ts'
import { refusalText } from './refusal-answer.ts'
import { REFUSED } from './response-heads.ts'

const CAUSES: Readonly<Record<string, readonly [status: string, message: string, code?: ErrorCode]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are larger than 64 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The chunk extensions are too large.', 'payload_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request was not complete in time.'],
}
const TUNNEL = ['405 Method Not Allowed', 'This service is not a proxy.', 'method_not_allowed'] as const
const MALFORMED = ['400 Bad Request', 'The request is not well-formed HTTP/1.1.'] as const

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
  const [status, message, code] = CAUSES[error.code ?? ''] ?? MALFORMED
  socket.end(answerText(status, message, code), () => socket.destroy())
}

/** Refuses CONNECT, which Node hands over as a bare socket. No method is allowed at an address elsewhere. */
export function refuseTunnel(socket: Duplex, current: ServerResponse | undefined): void {
  socket.on('error', () => socket.destroy())
  if (!mayWrite(current)) socket.destroy()
  else socket.end(answerText(...TUNNEL, ['Allow', '']), () => socket.destroy())
}

/** Raw bytes must not end up inside an answer that has begun, or be taken for the answer to an earlier request. */
function mayWrite(current: ServerResponse | undefined): boolean {
  if (current === undefined || current.writableFinished) return true
  return !current.headersSent && !current.req.complete
}

function answerText(
  status: string,
  message: string,
  code: ErrorCode = 'bad_request',
  extra: readonly string[] = [],
): string {
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
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`
}

import type { IncomingMessage } from 'node:http'
import { refuse } from '../domain/refusal.ts'
import { parseTarget, type RequestTarget } from './request-target.ts'
import { repeatedHeader } from './single-headers.ts'

const SIGNING: ReadonlySet<string> = new Set(['authorization', 'x-timestamp', 'x-nonce'])
const NO_PATH = 'The request target has to be a path that starts with a slash.'

/**
 * The target of a request; whatever another server might read differently is refused. On a signed endpoint, a target or header
 * that makes it ambiguous what was signed counts as an invalid signature.
 */
export function readTarget(
  request: IncomingMessage,
  isSigned: (path: string, method?: string) => boolean,
): RequestTarget {
  const { url = '', method, headers, rawHeaders } = request
  const target = parseTarget(url)
  if (target === null) {
    const { authorization } = headers
    refuse(authorization && isSigned(pathIn(url), method) ? 'invalid_signature' : 'bad_request', {}, NO_PATH)
  }
  checkProtocol(request)
  const repeated = repeatedHeader(rawHeaders)
  if (repeated !== null) {
    const code = SIGNING.has(repeated) && isSigned(target.path, method) ? 'invalid_signature' : 'bad_request'
    refuse(code, {}, `The header ${repeated} was sent twice.`)
  }
  return target
}

/** The path of a target in absolute form. */
const pathIn = (target: string): string => URL.parse(target)?.pathname ?? ''

/** Requests that Node's parser accepts and RFC 9112 does not: a proxy in front of us may read them differently. */
function checkProtocol({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') refuse('bad_request', {}, 'HTTP/1.1 is spoken here.')
  if (headers.host === undefined && httpVersion === '1.1') refuse('bad_request', {}, 'The Host header is missing.')
  if (!HOST.test(headers.host ?? '')) refuse('bad_request', {}, 'The Host header is malformed.')
  if (headers['transfer-encoding']?.includes(',')) refuse('unsupported_media_type')
}

/** A name or address with or without a port; may be empty. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~%!$&'()*+,;=-]*)(?::[0-9]{0,5})?$/

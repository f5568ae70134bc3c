import type { IncomingMessage } from 'node:http'
import { limits } from '@guildhall/protocol'
import { refuse } from '../domain/refusal.ts'
import type { Place } from './doors/door.ts'

/** The caller disconnected before the request was complete: there is nobody to answer. */
export class CallerGoneError extends Error {
  constructor() {
    super('The connection ended before the request did.')
    this.name = 'CallerGoneError'
  }
}

export const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')

/** The kind of body an endpoint takes. With `none`, a body that is sent anyway must be JSON. */
export type BodyKind = 'json' | 'form' | 'none'

type Receiving = { readonly request: IncomingMessage; readonly place: Place | null }

/** A caller that sends slowly holds no slot meanwhile. */
export const receiveBody = ({ request, place }: Receiving, kind: BodyKind): Promise<Buffer> =>
  place === null ? readBody(request, kind) : place.away(() => readBody(request, kind))

/** The raw bytes of the body. The content type is checked here, the content later. */
async function readBody(request: IncomingMessage, kind: BodyKind): Promise<Buffer> {
  const { headers } = request
  if (Number(headers['content-length'] ?? 0) > limits.body.bytes) refuse('payload_too_large')
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') refuse('unsupported_media_type')
  const body = await collect(request, limits.body.bytes)
  if (body === null) refuse('payload_too_large')
  const type = headers['content-type'] ?? ''
  if (kind !== 'form' && body.length > 0 && !isOfType(type, JSON_TYPE)) refuse('unsupported_media_type')
  if (kind === 'form' && !isOfType(type, FORM_TYPE))
    refuse('unsupported_media_type', {}, 'Send the form as a browser does.')
  return body
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const MEDIA_TYPE = /^([^;\s]+)((?:\s*;(?:\s*[^\s;="]+\s*=\s*(?:"[^"]*"|[^\s;"]+))?)*)\s*$/
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/gi
const UTF8 = /^utf-?8$/i

/** The only parameter that is checked is the charset, every time it is given. */
function isOfType(sent: string, type: string): boolean {
  if (sent === type) return true
  const [, name = '', parameters = ''] = MEDIA_TYPE.exec(sent) ?? []
  if (name.toLowerCase() !== type) return false
  return [...parameters.matchAll(CHARSET)].every(([, charset = '']) => UTF8.test(charset))
}

/** Null when there are more than `most` bytes; the rest is left unread. */
function collect(request: IncomingMessage, most: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(new CallerGoneError())
    const chunks: Buffer[] = []
    let length = 0
    const settle = () => {
      request.off('data', take).off('end', finish).off('error', fail).off('close', fail)
    }
    const take = (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= most) return
      settle()
      request.pause()
      resolve(null)
    }
    const finish = () => {
      settle()
      const [first] = chunks
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks))
    }
    const fail = () => {
      settle()
      reject(new CallerGoneError())
    }
    request.on('data', take).on('end', finish).on('error', fail).on('close', fail)
  })
}

/** One request and its expected answer. */
export type Step = {
  readonly bytes: Buffer
  readonly status: number
  /** A text that the body must contain. */
  readonly says?: string
}

/** What is timed as one unit: a request, or a handshake of several on one connection. */
export type Operation = readonly Step[]

export type Request = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The bytes of a request, built before the clock starts. */
export function encodeRequest({ method, path, headers = {}, body }: Request): Buffer {
  const sized =
    body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  const lines = Object.entries({ Host: 'localhost', ...headers, ...sized }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

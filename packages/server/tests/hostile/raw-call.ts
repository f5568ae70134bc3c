import { Agent, type IncomingMessage, request } from 'node:http'
import { afterAll } from 'vitest'

export type PlainAnswer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export type PlainCall = {
  readonly method: string
  /** Sent as it stands: nothing is resolved or encoded. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Sends what fetch would tidy up or refuse to send. An answer that goes on is let go after its head. */
export function plainSender(): (url: string, call: PlainCall) => Promise<PlainAnswer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  afterAll(() => agent.destroy())
  return (url, { method, target, headers, body }) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url)
      const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const sent = request({ agent, hostname, port, method, path: target, headers: { ...headers, ...length } })
      sent.once('error', reject).once('response', (answer: IncomingMessage) => {
        const status = answer.statusCode ?? 0
        const chunks: Buffer[] = []
        const finish = () => resolve({ status, headers: answer.headers, text: Buffer.concat(chunks).toString('utf8') })
        if (answer.headers['content-type']?.startsWith('text/event-stream')) {
          answer.destroy()
          return finish()
        }
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .once('end', finish)
          .once('error', reject)
      })
      sent.end(body ?? undefined)
    })
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type ReceivedCall = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type WebhookReceiver = {
  readonly url: string
  readonly calls: readonly ReceivedCall[]
  /** The events of the calls, in the order they came. */
  readonly events: readonly { readonly id: string; readonly type: string; readonly ref_id: string }[]
  /** What the next calls are answered with; the last stays. */
  answer(...statuses: readonly number[]): void
}

/** A real receiver of webhook calls. */
export async function webhookReceiver(): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = []
  let script: readonly number[] = [204]
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    calls.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString('utf8') })
    const [status = 204] = script
    if (script.length > 1) script = script.slice(1)
    response.writeHead(status, { Location: 'http://169.254.169.254/' }).end('{"ignored":true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    calls,
    get events() {
      return calls.map(({ body }) => JSON.parse(body))
    },
    answer: (...statuses) => {
      script = statuses
    },
  }
}

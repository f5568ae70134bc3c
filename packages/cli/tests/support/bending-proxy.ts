import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Bend = (path: string, body: Record<string, unknown>) => void
export type BendingProxy = { readonly url: string; bend: Bend; stop(): void }

/** Stands before a service and passes its answers on, after `bend` has had its way with them. */
export async function startBendingProxy(target: string): Promise<BendingProxy> {
  const proxy = { url: '', bend: (() => {}) as Bend, stop: () => void server.close() }
  const server = createServer(async ({ url = '/' }, response) => {
    const answer = await fetch(`${target}${url}`)
    const body = (await answer.json()) as Record<string, unknown>
    proxy.bend(url, body)
    response.writeHead(answer.status, { 'Content-Type': 'application/json', Connection: 'close' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

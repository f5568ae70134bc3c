import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What it says in place of the honest answer; null: the honest one. */
export type Lie = {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** The honest facilitator is asked all the same, and its answer kept back. */
  readonly forwards?: boolean
}

export type LyingFacilitator = {
  readonly url: string
  /** How often it was asked to settle, and to verify. */
  settles(): number
  verifies(): number
  lie(lies: { readonly verify?: Lie | null; readonly settle?: Lie | null }): void
  /** Keeps its callers waiting until then. */
  hold(until: { readonly verify?: Promise<void>; readonly settle?: Promise<void> }): void
  close(): Promise<void>
}

/** Stands before an honest facilitator and answers in its place as a story wants it. */
export async function lyingFacilitator(honestUrl: string): Promise<LyingFacilitator> {
  let lies: { readonly verify?: Lie | null; readonly settle?: Lie | null } = {}
  let held: { readonly verify?: Promise<void>; readonly settle?: Promise<void> } = {}
  const asked = { verify: 0, settle: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const name = request.url?.endsWith('/settle') ? 'settle' : 'verify'
    asked[name] += 1
    await held[name]
    const lie = lies[name] ?? null
    const ask = () =>
      fetch(`${honestUrl}/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(chunks),
      })
    if (lie === null) {
      const honest = await ask()
      response.writeHead(honest.status, { 'content-type': 'application/json' }).end(await honest.text())
      return
    }
    if (lie.forwards) await ask()
    response.writeHead(lie.status, { 'content-type': 'application/json', ...lie.headers }).end(lie.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settles: () => asked.settle,
    verifies: () => asked.verify,
    lie(next) {
      lies = next
    },
    hold(until) {
      held = until
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

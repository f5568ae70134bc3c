import type { Clock } from '../ports/clock.ts'
import type { SandboxControl, SandboxPlaces } from '../ports/sandbox-control.ts'

/** This node's access to the sandbox's control, and the clock that it moves. */
export type SandboxClient = { readonly control: SandboxControl; readonly clock: Clock; stop(): void }

/** Keeps a connection open, so that the node learns of a moved clock within milliseconds. */
export async function connectSandbox(controlUrl: string): Promise<SandboxClient> {
  const places = (await call(controlUrl, 'GET', '/places')) as SandboxPlaces
  let offsetMs = ((await call(controlUrl, 'GET', '/clock')) as { offsetMs: number }).offsetMs
  const stopped = new AbortController()
  followClock(controlUrl, stopped.signal, (moved) => {
    offsetMs = Math.max(offsetMs, moved)
  })
  return {
    clock: { now: () => Date.now() + offsetMs },
    control: {
      places,
      async advance(seconds) {
        const moved = (await call(controlUrl, 'POST', '/clock', { seconds })) as { offsetMs: number }
        offsetMs = Math.max(offsetMs, moved.offsetMs)
      },
      mint: async (network, address, atomic) =>
        (await call(controlUrl, 'POST', '/mint', { network, address, atomic: atomic.toString() })) as {
          txHash: string
          balanceUsdc: string
        },
      setFaults: async (faults) =>
        (await call(controlUrl, 'POST', '/faults', faults)) as { facilitator: string; rpc: string },
    },
    stop: () => stopped.abort(),
  }
}

async function call(controlUrl: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${controlUrl}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!response.ok)
    throw new Error(`the sandbox answered ${response.status} to ${method} ${path}: ${await response.text()}`)
  return response.json()
}

const RECONNECT_MS = 200

async function followClock(controlUrl: string, signal: AbortSignal, moved: (offsetMs: number) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await fetch(`${controlUrl}/clock/moves`, { signal })
      let text = ''
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString('utf8')
        const lines = text.split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) if (line !== '') moved(Number(line))
      }
    } catch {
      if (signal.aborted) return
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
  }
}

import { pauseMs } from './until.ts'

export type Balancer = {
  /** Sends each request to the next healthy node; one that cannot be connected to is passed over, and nothing else is tried again. */
  readonly fetch: typeof fetch
  /** How often each node was asked. */
  readonly asked: ReadonlyMap<string, number>
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 50
const PATIENCE_MS = 5_000

/** Stands before several nodes as a proxy does, and follows their health. */
export function balance(urls: readonly string[]): Balancer {
  const healthy = new Set(urls)
  const asked = new Map(urls.map((url) => [url, 0]))
  let stopped = false
  let turn = 0

  async function watch(url: string): Promise<void> {
    while (!stopped) {
      if (await saysYes(url)) healthy.add(url)
      else healthy.delete(url)
      await pauseMs(LOOK_EVERY_MS)
    }
  }

  async function nextHealthy(): Promise<string> {
    const deadline = performance.now() + PATIENCE_MS
    while (healthy.size === 0 && performance.now() < deadline) await pauseMs(LOOK_EVERY_MS)
    const url = [...healthy][turn++ % healthy.size]
    if (url === undefined) throw new Error('No node is healthy.')
    return url
  }

  async function send(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    const { pathname, search } = new URL(String(input))
    for (;;) {
      const url = await nextHealthy()
      asked.set(url, (asked.get(url) ?? 0) + 1)
      try {
        return await fetch(`${url}${pathname}${search}`, init)
      } catch (error) {
        if (!wasNotConnected(error)) throw error
        healthy.delete(url)
      }
    }
  }

  const watching = urls.map(watch)
  return {
    fetch: send,
    asked,
    async stop() {
      stopped = true
      await Promise.all(watching)
    },
  }
}

const saysYes = (url: string): Promise<boolean> =>
  fetch(`${url}/v1/health`).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.ok
    },
    () => false,
  )

/** Whether there was no connection over which anything could have been sent. */
function wasNotConnected(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('syscall' in cause && cause.syscall === 'connect') return true
  }
  return false
}

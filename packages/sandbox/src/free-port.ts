import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ephemeral ports (from 32,768 on Linux), so that no outgoing connection takes a free port before somebody listens
 * on it.
 */
const FIRST = 20_000
const SLICES = 120
const SLICE = 100

/** Ports of slices that belong to this process, not given yet. */
const left: number[] = []
const kept = new Set<number>()

/** A port of 127.0.0.1 that nobody listens on, and that no process has been given while this one lives. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = left.pop()
    if (port === undefined) await takeSlice()
    else if (!kept.has(port) && (await isFreePort(port))) return port
  }
}

/** Keeps a port for whoever had it before: freePort does not give it to anybody else. */
export const keepPort = (port: number): void => void kept.add(port)

export const isFreePort = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** A slice belongs to the process that listens on its first port, and is free again when that process has ended. */
async function takeSlice(): Promise<void> {
  const start = randomInt(SLICES)
  for (let tried = 0; tried < SLICES; tried++) {
    const first = FIRST + ((start + tried) % SLICES) * SLICE
    if (!(await hold(first))) continue
    for (let port = first + 1; port < first + SLICE; port++) left.push(port)
    return
  }
  throw new Error('No free port could be found on 127.0.0.1.')
}

/** Listens on a port as long as this process lives, without keeping it alive. */
const hold = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer((caller) => caller.destroy())
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => {
      server.unref()
      resolve(true)
    })
  })

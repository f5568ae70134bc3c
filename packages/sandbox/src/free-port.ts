import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ephemeral ports (from 32,768 on Linux), so that no outgoing connection takes a free port before somebody listens
 * on it.
 */
const FIRST = 20_000
const BEYOND = 32_000
const TRIES = 200
const given = new Set<number>()

/** A port of 127.0.0.1 that nobody listens on, and that this process has not been given before. */
export async function freePort(): Promise<number> {
  for (let left = TRIES; left > 0; left--) {
    const port = randomInt(FIRST, BEYOND)
    if (given.has(port) || !(await isFreePort(port))) continue
    given.add(port)
    return port
  }
  throw new Error('No free port could be found on 127.0.0.1.')
}

/** Keeps a port for whoever had it before: freePort does not give it to anybody else. */
export const keepPort = (port: number): void => void given.add(port)

export const isFreePort = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ephemeral ports (from 32,768 on Linux), so that no outgoing connection takes a free port before somebody listens
 * on it.
 */
const FIRST = 20_000
const SLICES = 120
const SLICE = 100

/** The slices that belong to this process, by their first ports, or that it is trying to take. */
const own = new Map<number, Promise<boolean>>()
/** Their ports that were not given yet. */
const left: number[] = []

/** A port of 127.0.0.1 that nobody listens on, and that no process has been given while this one lives. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = left.pop()
    if (port === undefined) await takeAnySlice()
    else if (await isFreePort(port)) return port
  }
}

/** Whether a port that an earlier process was given can be used again: its slice belongs to this process, or to nobody any more. */
export async function takeBack(port: number): Promise<boolean> {
  if (!(await takeSlice(port - (port % SLICE)))) return false
  const place = left.indexOf(port)
  if (place !== -1) left.splice(place, 1)
  return isFreePort(port)
}

const isFreePort = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

async function takeAnySlice(): Promise<void> {
  const start = randomInt(SLICES)
  for (let tried = 0; tried < SLICES; tried++) {
    const first = FIRST + ((start + tried) % SLICES) * SLICE
    if (own.has(first) || !(await takeSlice(first))) continue
    for (let port = first + 1; port < first + SLICE; port++) left.push(port)
    return
  }
  throw new Error('No free port could be found on 127.0.0.1.')
}

/** A slice belongs to the process that listens on its first port, and is free again when that process has ended. */
function takeSlice(first: number): Promise<boolean> {
  const known = own.get(first)
  if (known !== undefined) return known
  const taken = hold(first)
  own.set(first, taken)
  void taken.then((isOwn) => isOwn || own.delete(first))
  return taken
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

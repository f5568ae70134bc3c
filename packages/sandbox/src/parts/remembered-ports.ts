import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { writeDurably } from '../write-durably.ts'

export type RememberedPorts = {
  /** The port of last time when it is free, else a new one. */
  portFor(name: string): Promise<number>
  save(): Promise<void>
}

/** A restarted sandbox is found where it was. */
export function rememberPorts(path: string): RememberedPorts {
  const ports: Record<string, number> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return {
    async portFor(name) {
      const before = ports[name]
      const port = before !== undefined && (await isFree(before)) ? before : await freePort()
      ports[name] = port
      return port
    },
    save: () => writeDurably(path, JSON.stringify(ports)),
  }
}

const listenOn = (port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null))
    })
  })

const isFree = async (port: number): Promise<boolean> => (await listenOn(port)) === port

async function freePort(): Promise<number> {
  const port = await listenOn(0)
  if (port === null) throw new Error('No free port could be found on 127.0.0.1.')
  return port
}

import { existsSync, readFileSync } from 'node:fs'
import { freePort, takeBack } from '../free-port.ts'
import { writeDurably } from '../write-durably.ts'

export type RememberedPorts = {
  /** The port of last time when it is free, else a new one. */
  portFor(name: string): Promise<number>
  save(): Promise<void>
}

/** Keeps ports by name, so that a restarted sandbox has the same addresses. */
export function rememberPorts(path: string): RememberedPorts {
  const ports: Record<string, number> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return {
    async portFor(name) {
      const before = ports[name]
      const port = before !== undefined && (await takeBack(before)) ? before : await freePort()
      ports[name] = port
      return port
    },
    save: () => writeDurably(path, JSON.stringify(ports)),
  }
}

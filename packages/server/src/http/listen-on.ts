import type { Server } from 'node:http'

type Place = { readonly host: string; readonly port: number }

export class PortTakenError extends Error {
  /** `setting` is the one that names the port. */
  constructor({ host, port }: Place, setting = 'PORT') {
    super(`Port ${port} on ${host} is in use already: set ${setting} to a free one, or stop what listens there.`)
    this.name = 'PortTakenError'
  }
}

export class CannotListenError extends Error {
  constructor({ host, port }: Place, cause: Error) {
    super(`Nothing can listen on ${host}, port ${port}: ${cause.message}.`, { cause })
    this.name = 'CannotListenError'
  }
}

/** Listens, or says in a sentence why that cannot be. */
export function listenOn(server: Server, place: Place, setting?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTakenError(place, setting) : new CannotListenError(place, error))
    server.once('error', fail).listen(place.port, place.host, () => {
      server.off('error', fail)
      resolve()
    })
  })
}

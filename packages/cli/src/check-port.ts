import { createServer } from 'node:net'
import { PortTakenError } from '@guildhall/server'
import { PlainError } from './plain-error.ts'

/** Fails before anything is started when the port is taken. */
export const checkPort = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new PortTakenError(host, port)
          : new PlainError(`Nothing can listen on ${host}, port ${port}: ${error.message}.`),
      ),
    )
    server.listen(port, host, () => server.close(() => resolve()))
  })

import { createServer } from 'node:net'
import { PortTakenError } from '@guildhall/server'

/** Says at once, before anything is started, that the port is taken. */
export const checkPort = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTakenError(host, port) : error),
    )
    server.listen(port, host, () => server.close(() => resolve()))
  })

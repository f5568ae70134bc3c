import { createServer } from 'node:net'
import { CannotListenError, PortTakenError } from '@guildhall/server'

/** Fails before anything is started when the port is taken. */
export const checkPort = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' ? new PortTakenError({ host, port }) : new CannotListenError({ host, port }, error),
      ),
    )
    server.listen(port, host, () => server.close(() => resolve()))
  })

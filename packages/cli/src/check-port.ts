import { createServer } from 'node:net'
import { CannotListenError, PortTakenError, SettingsError } from '@guildhall/server/desk'

/** Fails before anything is started when the port is taken, or when no client would connect to it. */
export async function checkPort(host: string, port: number): Promise<void> {
  if (await isBadPort(port))
    throw new SettingsError([`PORT is ${port}, but browsers and fetch never connect to that port. Choose another one.`])
  await listenOnce(host, port)
}

/** The Fetch standard lists the ports of other protocols as bad; `fetch` fails before it connects to one of them. */
const isBadPort = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}`, { method: 'HEAD', signal: AbortSignal.timeout(1_000) }).then(
    () => false,
    (error: unknown) => error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port',
  )

const listenOnce = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' ? new PortTakenError({ host, port }) : new CannotListenError({ host, port }, error),
      ),
    )
    server.listen(port, host, () => server.close(() => resolve()))
  })

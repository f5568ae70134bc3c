import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const LOOK_AGAIN_MS = 200

/**
 * Waits until no other process has the turn of this name, and returns how to end it. The turn is a socket without a file, which
 * the kernel closes however its process ends. macOS has no such sockets: there, and where they are forbidden, nobody waits.
 */
export async function takeTurn(name, onWait) {
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `\0${name}`
  for (let waited = false; process.platform !== 'darwin'; waited = true) {
    const server = await listening(address)
    if (server !== null) return () => server.close()
    if (!waited) onWait()
    await wait(LOOK_AGAIN_MS)
  }
  return () => undefined
}

/** Null if the address is taken. */
function listening(address) {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(error.code === 'EADDRINUSE' ? null : server))
    server.listen(address, () => resolve(server))
  })
}

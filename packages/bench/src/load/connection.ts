import { once } from 'node:events'
import { connect } from 'node:net'
import { type Answer, createAnswerReader } from './answer-reader.ts'

/** A kept-alive connection with one request at a time on it. */
export type Connection = { ask(request: Buffer): Promise<Answer>; close(): void }

/**
 * All connections read into the same buffer, and each caller handles its answer before anything else is read. A buffer per answer
 * would be garbage whose collection takes a core from the measured service.
 */
const READ_INTO = Buffer.allocUnsafe(256 * 1024)

/** Uses the socket directly: a full HTTP client would cost more than some of the servers that it measures. */
export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const read = createAnswerReader()
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null
  const callback = (size: number) => {
    const answer = read(READ_INTO.subarray(0, size))
    if (answer === null) return true
    const asker = waiting
    waiting = null
    asker?.resolve(answer)
    return true
  }
  const onread = { buffer: READ_INTO, callback }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
  await once(socket, 'connect')

  const fail = (error: Error) => waiting?.reject(error)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error(`${url} closed a connection in the middle of a request.`)))
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error(`${url} has closed a connection that was not in use.`))
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => {
      waiting = null
      socket.destroy()
    },
  }
}

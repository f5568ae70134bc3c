import { once } from 'node:events'
import { connect } from 'node:net'
import { type Answer, createAnswerReader } from './answer-reader.ts'

/** A kept-alive connection with one request at a time on it. */
export type Connection = { ask(request: Buffer): Promise<Answer>; close(): void }

/** Speaks to the socket itself: a full HTTP client would cost more than some of the servers that it measures. */
export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  const read = createAnswerReader()
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null

  const fail = (error: Error) => waiting?.reject(error)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error(`${url} closed a connection in the middle of a request.`)))
  socket.on('data', (chunk: Buffer) => {
    const answer = read(chunk)
    if (answer === null) return
    const asker = waiting
    waiting = null
    asker?.resolve(answer)
  })
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => {
      waiting = null
      socket.destroy()
    },
  }
}

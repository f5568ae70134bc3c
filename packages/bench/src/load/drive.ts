import { type Answer, isRefusal } from './answer-reader.ts'
import { type Connection, openConnection } from './connection.ts'
import type { Operation, Step } from './operation.ts'
import { UnexpectedAnswerError } from './unexpected-answer.ts'

export type Drive = {
  readonly url: string
  readonly connections: number
  readonly mostMs: number
  /** The next thing to do; null when there is no more. */
  readonly next: () => Operation | null
}

export type Driven = {
  readonly count: number
  readonly seconds: number
  /** Of each operation, in milliseconds, shortest first. */
  readonly latencies: Float64Array
}

/** Keeps every connection busy with one operation after the other, until the time is over or no operation is left. */
export async function drive({ url, connections, mostMs, next }: Drive): Promise<Driven> {
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(url)))
  const latencies: number[] = []
  const start = performance.now()
  const lane = async (connection: Connection) => {
    for (let began = performance.now(); began - start < mostMs; ) {
      const operation = next()
      if (operation === null) return
      await perform(connection, operation)
      const ended = performance.now()
      latencies.push(ended - began)
      began = ended
    }
  }
  try {
    await Promise.all(opened.map(lane))
  } finally {
    for (const connection of opened) connection.close()
  }
  const seconds = (performance.now() - start) / 1000
  return { count: latencies.length, seconds, latencies: Float64Array.from(latencies).sort() }
}

async function perform(connection: Connection, operation: Operation): Promise<void> {
  for (const step of operation) {
    const answer = await askUntilTaken(connection, step)
    const fits = answer.status === step.status && (step.says === undefined || answer.body.includes(step.says))
    if (!fits) throw new UnexpectedAnswerError(step, answer)
  }
}

const TIMES = 20
const PAUSE_MS = 100

/** Retries when told to; the wait counts. */
async function askUntilTaken(connection: Connection, { bytes }: Step): Promise<Answer> {
  for (let time = 1; ; time++) {
    const answer = await connection.ask(bytes)
    if (!isRefusal(answer) || time === TIMES) return answer
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

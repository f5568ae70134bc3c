import { isRefusal } from './answer-reader.ts'
import { collectGarbage } from './collect-garbage.ts'
import { type Connection, openConnection } from './connection.ts'
import { encodeRequest, type Step } from './operation.ts'
import { UnexpectedAnswerError } from './unexpected-answer.ts'
import { watchCores } from './watch-cores.ts'

/** A request of some kind. */
export type Arrival = { readonly kind: string; readonly step: Step }

export type Arriving = {
  readonly url: string
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
  /** The next to arrive; null when there is no more. */
  readonly next: () => Arrival | null
}

/** The outcome of an arrival, and its latency in milliseconds from the moment at which it was due. */
export type Outcome = { readonly kind: string; readonly ms: number; readonly refused: boolean }
export type Arrived = {
  readonly outcomes: readonly Outcome[]
  readonly seconds: number
  /** The share of the machine's CPU time in use meanwhile, by any process. */
  readonly busy: number
}

const TICK_MS = 1
/** Answered without the database, however busy the service is. */
const GREETING = encodeRequest({ method: 'GET', path: '/v1/health' })

/** Sends `perSecond` requests on average at random times, without waiting for answers. */
export async function arrive({ url, perSecond, seconds, connections, next }: Arriving): Promise<Arrived> {
  const opened = await openMany(url, connections)
  const idle = [...opened]
  const outcomes: Outcome[] = []
  const asking = new Set<Promise<void>>()
  let failure: unknown = null
  const waiting: { readonly arrival: Arrival; readonly since: number }[] = []

  const start = (arrival: Arrival, since: number) => {
    const connection = idle.pop()
    if (connection === undefined) return void waiting.push({ arrival, since })
    const asked = ask(connection, arrival, since).finally(() => asking.delete(asked))
    asking.add(asked)
    asked.catch((error: unknown) => {
      failure ??= error
    })
  }
  const ask = async (connection: Connection, { kind, step }: Arrival, since: number) => {
    const answer = await connection.ask(step.bytes)
    const refused = isRefusal(answer)
    if (!refused && answer.status !== step.status) throw new UnexpectedAnswerError(step, answer)
    outcomes.push({ kind, ms: performance.now() - since, refused })
    idle.push(connection)
    const held = waiting.shift()
    if (held !== undefined) start(held.arrival, held.since)
  }

  collectGarbage()
  const cores = watchCores()
  const began = performance.now()
  try {
    for (let due = pause(perSecond), left = true; left && due < seconds * 1_000; ) {
      const passed = performance.now() - began
      for (; left && due <= passed; due += pause(perSecond)) {
        const arrival = next()
        if (arrival === null) left = false
        else start(arrival, began + due)
      }
      if (failure !== null) throw failure
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    }
    const lasted = (performance.now() - began) / 1_000
    while (asking.size > 0) await Promise.all(asking)
    if (failure !== null) throw failure
    return { outcomes, seconds: lasted, busy: cores.busy() }
  } finally {
    for (const connection of opened) connection.close()
  }
}

/** Connections opened at a time: the kernel refuses more than fit into a listening socket's backlog. */
const OPENED_AT_ONCE = 100

async function openMany(url: string, count: number): Promise<Connection[]> {
  const opened: Connection[] = []
  while (opened.length < count) {
    const next = Math.min(OPENED_AT_ONCE, count - opened.length)
    opened.push(...(await Promise.all(Array.from({ length: next }, () => openAnswered(url)))))
  }
  return opened
}

/** A connection that the service itself has accepted: before the first answer, only the kernel has. */
async function openAnswered(url: string): Promise<Connection> {
  const connection = await openConnection(url)
  await connection.ask(GREETING)
  return connection
}

/** Milliseconds to the next arrival of a Poisson process. */
const pause = (perSecond: number): number => (-Math.log(1 - Math.random()) / perSecond) * 1_000

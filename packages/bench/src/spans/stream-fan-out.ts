import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { taskBody } from '../lines/writes.ts'
import { listenFor } from '../load/listen-for.ts'
import { encodeRequest } from '../load/operation.ts'
import type { Plan } from '../plan.ts'
import { percentile } from '../report/measure-round.ts'
import { type BenchAgent, makeAgent, signedBy } from '../seed/bench-agent.ts'
import { seedAgents } from '../seed/seed-agents.ts'
import type { Stage } from '../stage/start-stage.ts'
import type { Span } from './span.ts'

const ABILITY = 'listening'
const OPENED_AT_ONCE = 100
const AIM_MS = 1_000
const PATIENCE_MS = 60_000

/** One task is posted and all streams are told of it: the time from the call to each stream's event. */
export async function streamFanOut({ streams }: Plan, { large, agents }: Stage): Promise<Span> {
  const listeners = Array.from({ length: streams }, makeAgent)
  await seedAgents(large.database, listeners, { name: 'Listener ', abilities: [ABILITY] })
  const arrivals: number[] = []
  let all: () => void = () => {}
  const allTold = new Promise<void>((resolve, reject) => {
    all = resolve
    setTimeout(() => reject(new Error(`Only ${arrivals.length} of ${streams} streams were told.`)), PATIENCE_MS).unref()
  })
  const sockets = await openAll(listeners, large.server.url, () => {
    if (arrivals.push(performance.now()) === streams) all()
  })
  try {
    const began = performance.now()
    await postTask(large.server.url, agents[0])
    await allTold
    const waits = Float64Array.from(arrivals, (at) => at - began).sort()
    const last = waits.at(-1) ?? Number.NaN
    return {
      name: `task.available on ${streams.toLocaleString('en')} streams`,
      measured: `half after ${percentile(waits, 0.5).toFixed(0)} ms, the last after ${last.toFixed(0)} ms`,
      aim: `≤ ${AIM_MS} ms`,
      reached: last <= AIM_MS,
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

async function openAll(listeners: readonly BenchAgent[], url: string, told: () => void): Promise<readonly Socket[]> {
  const sockets: Socket[] = []
  for (let from = 0; from < listeners.length; from += OPENED_AT_ONCE) {
    const some = listeners.slice(from, from + OPENED_AT_ONCE)
    sockets.push(...(await Promise.all(some.map((listener) => openStream(listener, url, told)))))
  }
  return sockets
}

/** The stream is open once the service has sent its position. */
async function openStream(listener: BenchAgent, url: string, told: () => void): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  socket.write(encodeRequest(signedBy(listener, { method: 'GET', path: `/v1/agents/${listener.id}/events/stream` })))
  socket.on('data', listenFor('event: task.available', told))
  const [head] = (await once(socket, 'data')) as [Buffer]
  if (!head.includes(' 200 ')) throw new Error(`A stream was not opened: ${head.toString('utf8', 0, 300)}`)
  return socket
}

async function postTask(url: string, poster: BenchAgent | undefined): Promise<void> {
  if (poster === undefined) throw new RangeError('There is nobody to post a task.')
  const body = taskBody(0, { required_capabilities: [ABILITY] })
  const { headers } = signedBy(poster, { method: 'POST', path: '/v1/tasks', body })
  const answer = await fetch(`${url}/v1/tasks`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  })
  if (answer.status !== 200) throw new Error(`The task was not posted: ${answer.status} ${await answer.text()}`)
}

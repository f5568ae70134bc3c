import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { FacilitatorConfig, FromChild, Order, ToChild } from './control-messages.ts'

/** A facilitator process that is ready for calls. */
export type RunningChild = {
  readonly pid: number
  readonly port: number
  readonly address: `0x${string}`
  /** Resolves when the process has obeyed; rejects when it ended before. */
  order(order: Order): Promise<void>
  readonly ended: Promise<void>
  end(): Promise<void>
}

const KILL_AFTER_MS = 3_000
/** Of what it said last, when it does not start. */
const LINES_QUOTED = 20

/** Starts the facilitator's process and waits until it listens. */
export async function launchChild(
  config: FacilitatorConfig,
  onFaultSpent: (faultNumber: number, callsLeft: number) => void,
  log: (line: string) => void,
): Promise<RunningChild> {
  const child = fork(new URL('./main.ts', import.meta.url), { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const said: string[] = []
  const listen = (line: string) => {
    log(line)
    said.push(line)
    if (said.length > LINES_QUOTED) said.shift()
  }
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', listen)
  }
  const ended = once(child, 'exit').then(() => undefined)
  const obeyed = new Map<number, () => void>()
  const ready = new Promise<Extract<FromChild, { kind: 'ready' }>>((resolve) => {
    child.on('message', (message: FromChild) => {
      if (message.kind === 'ready') resolve(message)
      if (message.kind === 'done') obeyed.get(message.id)?.()
      if (message.kind === 'fault-spent') onFaultSpent(message.faultNumber, message.callsLeft)
    })
  })
  tell(child, { kind: 'start', config })
  const endedEarly = once(child, 'close').then(() => Promise.reject(new Error([ENDED_EARLY, ...said].join('\n'))))
  const { port, address } = await Promise.race([ready, endedEarly])

  let lastId = 0
  return {
    pid: child.pid ?? 0,
    port,
    address,
    async order(order) {
      lastId += 1
      const id = lastId
      const done = new Promise<void>((resolve) => obeyed.set(id, resolve))
      tell(child, { kind: 'order', id, order })
      await Promise.race([done, ended.then(() => Promise.reject(new Error(ENDED_EARLY)))])
      obeyed.delete(id)
    },
    ended,
    async end() {
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

const ENDED_EARLY = 'The facilitator ended before it answered.'

function tell(child: ChildProcess, message: ToChild): void {
  // A process that has ended cannot be told; its end is handled elsewhere.
  if (child.connected) child.send(message, () => undefined)
}

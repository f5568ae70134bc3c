import { setTimeout as sleep } from 'node:timers/promises'
import type { FacilitatorConfig, Order } from './control-messages.ts'
import { launchChild, type RunningChild } from './launch-child.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000

/** A facilitator process that is started again whenever it ends. */
type KeptRunning = {
  readonly port: number
  readonly address: `0x${string}`
  /** Resolves when the order is in force, in the running process or in its replacement. */
  order(order: Order): Promise<void>
  pid(): number | null
  stop(): Promise<void>
}

export async function keepRunning(options: {
  readonly config: () => FacilitatorConfig
  readonly onFaultSpent: (faultNumber: number, callsLeft: number) => void
  readonly log: (line: string) => void
}): Promise<KeptRunning> {
  const { config, onFaultSpent, log } = options
  const stopping = new AbortController()
  const launch = () => launchChild(config(), onFaultSpent, log)
  const first = await launch()
  let current: Promise<RunningChild | null> = Promise.resolve(first)
  let pid: number | null = null
  watch(first)

  function watch(child: RunningChild): RunningChild {
    pid = child.pid
    child.ended.then(() => {
      pid = null
      if (stopping.signal.aborted) return
      log('The facilitator ended and is started again.')
      current = relaunch()
    })
    return child
  }

  async function relaunch(): Promise<RunningChild | null> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return null
      try {
        return watch(await launch())
      } catch (error) {
        log(`The facilitator did not start: ${error instanceof Error ? error.message : error}`)
      }
    }
  }

  async function order(given: Order): Promise<void> {
    const child = await current
    await child?.order(given).catch(() => current)
  }

  return {
    port: first.port,
    address: first.address,
    order,
    pid: () => pid,
    async stop() {
      stopping.abort()
      const child = await current
      await child?.end()
    },
  }
}

import type { FacilitatorConfig, Order } from './control-messages.ts'
import type { Fault } from './fault.ts'
import { keepRunning } from './keep-running.ts'

/** The sandbox's x402 facilitator: a process of its own that follows the moved clock and fails when told to. */
export type Facilitator = {
  readonly url: string
  readonly address: `0x${string}`
  setClockOffset(milliseconds: number): Promise<void>
  failWith(fault: Fault, times?: number): Promise<void>
  /** The fault in force; `ok` once it has affected as many calls as it was set for. */
  fault(): Fault
  pid(): number | null
  stop(): Promise<void>
}

/** Starts the facilitator; killed, it comes back on the same port with the same clock and fault. */
export async function startFacilitator(options: {
  readonly networks: readonly { readonly network: string; readonly rpcUrl: string }[]
  readonly gasKey: `0x${string}`
  readonly clockOffsetMs: number
  readonly eip6492Factories: readonly `0x${string}`[]
  readonly log: (line: string) => void
  readonly port?: number
}): Promise<Facilitator> {
  const { networks, gasKey, clockOffsetMs, eip6492Factories, log, port = 0 } = options
  const nothingSpoilt = { fault: 'ok', callsLeft: null, faultNumber: 0 } as const
  let config: FacilitatorConfig = { networks, gasKey, eip6492Factories, port, clockOffsetMs, ...nothingSpoilt }

  const running = await keepRunning({
    config: () => config,
    onFaultSpent(faultNumber, callsLeft) {
      if (faultNumber !== config.faultNumber) return
      config = { ...config, callsLeft }
    },
    log,
  })
  config = { ...config, port: running.port }

  const change = async (order: Order) => {
    config = { ...config, ...settingsOf(order) }
    await running.order(order)
  }

  return {
    url: `http://127.0.0.1:${running.port}`,
    address: running.address,
    setClockOffset: (milliseconds) => change({ kind: 'set-clock', clockOffsetMs: milliseconds }),
    failWith: (fault, times) =>
      change({ kind: 'set-fault', fault, callsLeft: times ?? null, faultNumber: config.faultNumber + 1 }),
    fault: () => (config.callsLeft === 0 ? 'ok' : config.fault),
    pid: running.pid,
    stop: running.stop,
  }
}

function settingsOf({ kind: _, ...settings }: Order): Partial<FacilitatorConfig> {
  return settings
}

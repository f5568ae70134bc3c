/** The ways in which the sandbox's facilitator can be made to fail. */
export type Fault = 'ok' | 'down' | 'slow' | 'settle_reverts' | 'response_lost' | 'lies_settled' | 'lies_failed'

/** The calls that a fault can spoil. */
export type FacilitatorCall = 'verify' | 'settle'

const spoils: Record<Fault, readonly FacilitatorCall[]> = {
  ok: [],
  down: ['verify', 'settle'],
  slow: ['verify', 'settle'],
  settle_reverts: ['settle'],
  response_lost: ['settle'],
  lies_settled: ['settle'],
  lies_failed: ['settle'],
}

/** A fault and how many calls it will still spoil; null means until it is changed. */
type FaultSetting = { readonly fault: Fault; readonly callsLeft: number | null }

/** The fault in force, counted down by the calls it spoils. */
export type FaultSwitch = {
  set(setting: FaultSetting): void
  current(): Fault
  /** The fault that this call meets; spends one of the calls that are left. */
  meet(call: FacilitatorCall): Fault
  /** Waits, but no longer than until the fault is changed. */
  hold(milliseconds: number): Promise<void>
}

export function createFaultSwitch(onSpent: (callsLeft: number) => void): FaultSwitch {
  let setting: FaultSetting = { fault: 'ok', callsLeft: null }
  let releaseHeld: (() => void)[] = []

  return {
    set(next) {
      setting = next.callsLeft === 0 ? { fault: 'ok', callsLeft: null } : next
      for (const release of releaseHeld) release()
      releaseHeld = []
    },
    current: () => setting.fault,
    meet(call) {
      const { fault, callsLeft } = setting
      if (!spoils[fault].includes(call)) return 'ok'
      if (callsLeft !== null) {
        setting = callsLeft > 1 ? { fault, callsLeft: callsLeft - 1 } : { fault: 'ok', callsLeft: null }
        onSpent(callsLeft - 1)
      }
      return fault
    },
    hold(milliseconds) {
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        releaseHeld.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
}

import { SECOND } from '@guildhall/protocol'
import type { Log } from '../ports/log.ts'

const LONGEST_PAUSE_MS = 5 * SECOND
/** Shortest pause between two looks, however often the loop is nudged: one look finds the work of many requests. */
const BREATH_MS = 50

export type Loop = { nudge(): void; stop(): Promise<void> }

/**
 * Looks for work every `everyMs`, immediately after finding some, or when nudged (at most every 50 ms). Failures slow it down,
 * but never stop it.
 */
export function startLoop(log: Log, trouble: string, everyMs: number, look: () => Promise<number>): Loop {
  let stopped = false
  let nudged = false
  let breathing = false
  let wake: () => void = () => {}

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function rest(ms: number): Promise<void> {
    if (ms === 0 || stopped) return
    breathing = true
    await pause(BREATH_MS)
    breathing = false
    if (!stopped && !nudged) await pause(ms - BREATH_MS)
  }

  async function loop(): Promise<void> {
    let wait = everyMs
    while (!stopped) {
      nudged = false
      try {
        wait = (await look()) > 0 ? 0 : everyMs
      } catch (error) {
        log.warn(trouble, { error: error instanceof Error ? error.message : String(error) })
        wait = Math.max(everyMs, Math.min(wait * 2 + everyMs, LONGEST_PAUSE_MS))
      }
      await rest(wait)
    }
  }

  const running = loop()
  return {
    nudge() {
      nudged = true
      if (!breathing) wake()
    },
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}

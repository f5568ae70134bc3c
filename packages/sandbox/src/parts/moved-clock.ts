import { existsSync, readFileSync } from 'node:fs'
import { writeDurably } from '../write-durably.ts'

/** The sandbox's clock: the machine's, moved forward by an offset that is on disk before anybody sees it. */
export type MovedClock = {
  now(): number
  offsetMs(): number
  advance(seconds: number): Promise<number>
}

export function openMovedClock(path: string): MovedClock {
  let offsetMs = existsSync(path)
    ? Number((JSON.parse(readFileSync(path, 'utf8')) as { offsetMs: number }).offsetMs)
    : 0
  return {
    now: () => Date.now() + offsetMs,
    offsetMs: () => offsetMs,
    async advance(seconds) {
      const moved = offsetMs + seconds * 1000
      await writeDurably(path, JSON.stringify({ offsetMs: moved }))
      offsetMs = moved
      return offsetMs
    },
  }
}

import type { Narrator } from '../demo/narrator.ts'

const CELLS = 30
const REDRAWN_MS = 100

/** Draws the progress, a few times a second. */
export function progressBar(narrator: Pick<Narrator, 'progress'>, total: number): (done: number) => void {
  const began = performance.now()
  let drawn = Number.NEGATIVE_INFINITY
  return (done) => {
    const now = performance.now()
    if (now - drawn < REDRAWN_MS) return
    drawn = now
    narrator.progress(`${barOf(done, total)}  ${count(done)} of ${count(total)}  ${rateOf(done, now - began)}`)
  }
}

function barOf(done: number, total: number): string {
  const full = Math.min(CELLS, Math.floor((done / Math.max(1, total)) * CELLS))
  return `${'█'.repeat(full)}${'░'.repeat(CELLS - full)}`
}

export const rateOf = (done: number, ms: number): string => `${count(Math.round((done / Math.max(1, ms)) * 1_000))}/s`

export const count = (number: number): string => number.toLocaleString('en-GB')

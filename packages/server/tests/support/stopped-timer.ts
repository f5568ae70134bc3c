import type { Timer } from '../../src/ports/timer.ts'

/** Time for tests: it passes when it is told to. */
export function createStoppedTimer(): Timer & { pass(ms: number): void; waiting(): number } {
  let now = 0
  let bells: { readonly at: number; readonly ring: () => void }[] = []
  return {
    elapsed: () => now,
    after(ms, ring) {
      const bell = { at: now + ms, ring }
      bells.push(bell)
      return () => {
        bells = bells.filter((other) => other !== bell)
      }
    },
    waiting: () => bells.length,
    pass(ms) {
      now += ms
      const due = bells.filter(({ at }) => at <= now)
      bells = bells.filter(({ at }) => at > now)
      for (const { ring } of due) ring()
    },
  }
}

import type { Failpoints } from './ports/failpoints.ts'

/** Kills this process without warning, like a power cut, when it reaches the named place. */
export const createFailpoints = (name: string | null): Failpoints => ({
  async reach(place) {
    if (place !== name) return
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => {})
  },
})

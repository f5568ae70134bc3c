import type { Failpoints } from './ports/failpoints.ts'

/** Kills this process, as hard as a power cut would, when the named place is reached. Without a name nothing ever happens. */
export const createFailpoints = (name: string | null): Failpoints => ({
  async reach(place) {
    if (place !== name) return
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => {})
  },
})

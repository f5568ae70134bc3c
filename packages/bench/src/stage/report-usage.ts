// Loaded into every measured process before its own code: reports the process's resource usage on request.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectGarbage } from '../load/collect-garbage.ts'

const RESOLUTION_MS = 5
/** How late timers run: what everybody waits for when one piece of work holds the thread. */
const lateness = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

process.on('message', (message) => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicroseconds: user + system })
  }
  if (message === 'watch lateness') {
    lateness.reset()
    process.send?.({ watchingLateness: lateness.enable() })
  }
  if (message === 'lateness') {
    lateness.disable()
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
    process.send?.({ lateness: { p99Ms: late(lateness.percentile(99)), mostMs: late(lateness.max) } })
  }
  if (message === 'memory') {
    collectGarbage()
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
    process.send?.({ memory: { rss, heapUsed, arrayBuffers, handles: process.getActiveResourcesInfo().length } })
  }
})
process.channel?.unref()

// Loaded into every measured process before its own code: reports the process's resource usage on request.
import { collectGarbage } from '../load/collect-garbage.ts'

process.on('message', (message) => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicroseconds: user + system })
  }
  if (message === 'memory') {
    collectGarbage()
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
    process.send?.({ memory: { rss, heapUsed, arrayBuffers, handles: process.getActiveResourcesInfo().length } })
  }
})
process.channel?.unref()

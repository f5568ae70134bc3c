// Loaded into every measured process before its own code: tells what the process has used when it is asked.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

process.on('message', (message) => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicroseconds: user + system })
  }
  if (message === 'memory') {
    collectGarbage()
    const { rss, heapUsed } = process.memoryUsage()
    process.send?.({ memory: { rss, heapUsed, handles: process.getActiveResourcesInfo().length } })
  }
})
process.channel?.unref()

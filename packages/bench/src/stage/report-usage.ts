// Loaded into every measured process before its own code: tells how much CPU the process has used when it is asked.
process.on('message', (message) => {
  if (message !== 'usage') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicroseconds: user + system })
})
process.channel?.unref()

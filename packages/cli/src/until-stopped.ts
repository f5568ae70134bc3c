import { Socket } from 'node:net'

/** Waits for Ctrl-C, SIGTERM, or, in a child of the sandbox, the end of its parent. */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    // A file ends at once, and says nothing of a parent.
    if (process.env.GUILDHALL_PARENT_PIPE !== '1' || !(process.stdin instanceof Socket)) return
    process.stdin.resume()
    // Listening to the pipe must not keep a finished process alive.
    process.stdin.unref()
    process.stdin.on('end', resolve)
    process.stdin.on('error', () => resolve())
  })

import fs from 'node:fs'

export type LineWriter = {
  write(line: string): void
  /** Writes what has been gathered before it returns, unless a write is under way; then it comes right after that. */
  writeNow(): void
}

/** Lines are written in batches of this size, or after this time. */
const GATHERED_LENGTH = 8 * 1024
const GATHERED_MS = 100
/** Kept for a reader that has stopped reading; what comes after that is lost. */
const MOST_LENGTH = 4 * 1024 * 1024
const RETRY_MS = 100

const writers = new Set<() => void>()
process.on('exit', () => {
  for (const end of writers) end()
})

/**
 * Writes lines to a file descriptor, and goes on when that fails: on a full disk lines are lost, and counted in a line that
 * follows once there is space again.
 */
export function createLineWriter(fd: number, system: Pick<typeof fs, 'write' | 'writeSync'> = fs): LineWriter {
  let lines: string[] = []
  let length = 0
  let lost = 0
  let isWriting = false
  let timer: NodeJS.Timeout | undefined

  function take(): { readonly bytes: Buffer; readonly count: number } {
    clearTimeout(timer)
    timer = undefined
    const taken = { bytes: Buffer.from(told(lost) + lines.join('')), count: lost + lines.length }
    lines = []
    length = 0
    lost = 0
    return taken
  }

  function writeSoon(): void {
    if (isWriting || lines.length === 0) return
    const { bytes, count } = take()
    writeRest(bytes, count)
  }

  function writeRest(rest: Buffer, count: number): void {
    isWriting = true
    system.write(fd, rest, (error, written) => {
      if (isBusy(error)) return void setTimeout(() => writeRest(rest, count), RETRY_MS).unref()
      if (error === null && written < rest.length) return writeRest(rest.subarray(written), count)
      if (error !== null) lost += count
      isWriting = false
      writeSoon()
    })
  }

  function writeAtOnce(): void {
    if (lines.length === 0) return
    const { bytes, count } = take()
    let rest = bytes
    try {
      while (rest.length > 0) rest = rest.subarray(system.writeSync(fd, rest))
    } catch (error) {
      if (isBusy(error)) writeRest(rest, count)
      else lost += count
    }
  }

  writers.add(writeAtOnce)
  return {
    write(line) {
      if (length >= MOST_LENGTH) {
        lost += 1
        return
      }
      lines.push(line)
      length += line.length
      if (length >= GATHERED_LENGTH) writeSoon()
      else timer ??= setTimeout(writeSoon, GATHERED_MS).unref()
    },
    writeNow() {
      if (!isWriting) writeAtOnce()
    },
  }
}

const told = (lost: number): string =>
  lost === 0
    ? ''
    : `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines: lost, msg: 'lines of the log could not be written and are lost' })}\n`

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY')

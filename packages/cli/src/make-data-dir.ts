import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PlainError } from './plain-error.ts'

/** Makes the data directory, and those above it, and finds out whether it can be written to. */
export function makeDataDir(path: string): void {
  try {
    make(path)
    rmdirSync(mkdtempSync(join(path, 'probe-')))
  } catch (cause) {
    throw new PlainError(`GUILDHALL_DATA_DIR cannot be used: ${cause instanceof Error ? cause.message : cause}`)
  }
}

/** Node's own recursive mkdir never ends below a directory that takes no others, such as /proc. */
function make(path: string): void {
  if (isDirectory(path)) return
  if (!isDirectory(dirname(path))) make(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another node may have made it meanwhile.
    if (!isDirectory(path)) throw error
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

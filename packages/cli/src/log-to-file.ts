import { appendFileSync } from 'node:fs'

/** Appends lines to a file. On a full disk they are lost: what they are about has to go on. */
export const logToFile =
  (file: string) =>
  (line: string): void => {
    try {
      appendFileSync(file, `${new Date().toISOString()} ${line}\n`)
    } catch {
      // There is no other place to say it.
    }
  }

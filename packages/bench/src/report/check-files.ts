import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { betweenMarks, type Mark } from './marked-text.ts'

/** The files that a run writes, and the part of the page that is its own. */
export type ResultFiles = {
  readonly jsonFile: string | null
  readonly markdownFile: string | null
  readonly mark: Mark
}

/** Refuses files that could not be written in the end, before anything is measured. */
export function checkFiles({ jsonFile, markdownFile, mark }: ResultFiles): void {
  if (jsonFile !== null && !canBeWritten(jsonFile)) throw new RangeError(`--json: ${jsonFile} cannot be written.`)
  if (markdownFile === null) return
  const page = canBeWritten(markdownFile) ? textOf(markdownFile) : null
  if (page === null) throw new RangeError(`--markdown: ${markdownFile} is not a page that can be read and written.`)
  betweenMarks(page, mark, '')
}

function canBeWritten(file: string): boolean {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    accessSync(found ? file : `${dirname(file)}/`, constants.W_OK)
    return !found?.isDirectory()
  } catch {
    return false
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

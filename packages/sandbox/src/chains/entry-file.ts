import { type FileHandle, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from '../write-durably.ts'

/** A file of lines that only grows. */
export type EntryFile = { append(line: string): Promise<void>; close(): Promise<void> }

/** Opens the file for appending: creates it if needed, and cuts off an unfinished line. */
export async function entryFile(path: string): Promise<EntryFile> {
  const lines = await readEntries(path)
  let size = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
  await (await open(path, 'a')).close()
  await syncDirectory(dirname(path))
  const handle = await open(path, 'r+')
  await handle.truncate(size)
  return {
    async append(line) {
      // At an explicit position: what a failed write left behind is overwritten by the next one.
      const bytes = Buffer.from(`${line}\n`)
      await writeAll(handle, bytes, size)
      await handle.datasync()
      size += bytes.length
    },
    close: () => handle.close(),
  }
}

/** A disk that is nearly full takes the beginning of a line, and refuses only what is written next. */
async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

/** The file's whole lines. A torn last line was never acknowledged and is left out; a torn line elsewhere is damage. */
export async function readEntries(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n').slice(0, -1)
  const torn = lines.findIndex((line) => !isJson(line))
  if (torn === -1) return lines
  if (torn < lines.length - 1) throw new Error(`${path} is damaged in line ${torn + 1}.`)
  return lines.slice(0, torn)
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

import { closeSync, existsSync, fsync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { HeadRecord, RecordedHead } from '../ports/head-record.ts'

const LINE = 128
const untilOnDisk = promisify(fsync)

/** Keeps the head in a small file of fixed length that is overwritten in place: cheap enough for every seal. */
export function createFileHeadRecord(directory: string): HeadRecord & { close(): void } {
  mkdirSync(directory, { recursive: true })
  const path = headFile(directory)
  const file = openSync(path, 'a+')
  closeSync(file)
  const descriptor = openSync(path, 'r+')
  let keeping: Promise<void> = Promise.resolve()
  let remembered = readRecord(path)
  return {
    read: () => remembered,
    write(head) {
      remembered = head
      writeSync(
        descriptor,
        `${JSON.stringify({ sequence: head.sequence, entryHash: head.entryHash }).padEnd(LINE - 1)}\n`,
        0,
      )
    },
    // Asynchronous: the disk may take 100 ms, which would block every other request.
    keepCheckpoint(checkpoint) {
      keeping = appendToDisk(join(directory, 'ledger-checkpoints.jsonl'), `${JSON.stringify(checkpoint)}\n`).then(() =>
        untilOnDisk(descriptor),
      )
      return keeping
    },
    close: () => void keeping.catch(() => {}).then(() => closeSync(descriptor)),
  }
}

async function appendToDisk(path: string, line: string): Promise<void> {
  await using file = await open(path, 'a')
  await file.appendFile(line)
  await file.sync()
}

const headFile = (directory: string): string => join(directory, 'ledger-head.json')

/** What a node has recorded in its data directory: null where that is nothing, 'missing' where no node has ever started. */
export function readHeadRecord(directory: string): RecordedHead | null | 'missing' {
  const path = headFile(directory)
  return existsSync(path) ? readRecord(path) : 'missing'
}

/** Nobody knows any more what the node had seen, and so whether the database is older than that. */
export class DamagedRecordError extends Error {
  override readonly name = 'DamagedRecordError'

  constructor(path: string) {
    super(
      `${path} is damaged: it does not say which entry of the ledger its node has seen last. ` +
        'Once the directories of the other nodes show that the database has everything (guildhall ledger compare), remove it.',
    )
  }
}

function readRecord(path: string): RecordedHead | null {
  const text = readFileSync(path, 'utf8')
  if (text.trim() === '') return null
  const { sequence, entryHash } = fieldsIn(text)
  if (typeof sequence !== 'number' || typeof entryHash !== 'string') throw new DamagedRecordError(path)
  return { sequence, entryHash }
}

function fieldsIn(text: string): Partial<RecordedHead> {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory, writeDurably } from '../write-durably.ts'
import { entryFile, readEntries } from './entry-file.ts'

/** Everything that was done, on disk: entries in order, and snapshots that make the entries before them unnecessary. */
export type Journal<Snapshot, Entry> = {
  /** The snapshot to begin with (none: begin with nothing), and every entry since. */
  load(): Promise<{ readonly snapshot: Snapshot | null; readonly entries: readonly Entry[] }>
  /** Resolves when the entry is on disk. */
  append(entry: Entry): Promise<void>
  /** The mark of the newest snapshot, 0 if there is none. */
  mark(): number
  /** Keeps a snapshot of what all entries so far have led to. */
  keep(snapshot: Snapshot, mark: number): Promise<void>
  /** Removes the newest snapshot if there is an older place to begin; returns whether it did. */
  withdraw(): Promise<boolean>
  close(): Promise<void>
}

/**
 * A directory of generations: `7.entries` holds what came after the snapshot `7.at-<mark>.snapshot`. It loads from the
 * snapshot before the newest one, because a snapshot holds only one state: those shortly before it, which can still be read,
 * come back by replaying the entries that led to them.
 */
export async function openJournal<Snapshot, Entry>(directory: string): Promise<Journal<Snapshot, Entry>> {
  let files = await listFiles(directory)
  let newest = Math.max(0, ...files.map((file) => file.generation))
  let entries = await entryFile(entriesPath(directory, newest))

  async function forgetUnneeded(): Promise<void> {
    files = await listFiles(directory)
    const { generation } = beginning(files)
    for (const file of files) if (file.generation < generation) await rm(join(directory, file.name))
    files = files.filter((file) => file.generation >= generation)
  }

  await forgetUnneeded()
  return {
    async load() {
      const start = beginning(files)
      const snapshot: Snapshot | null =
        start.mark === null ? null : JSON.parse(await readFile(join(directory, start.name), 'utf8'))
      const all: Entry[] = []
      for (let generation = start.generation; generation <= newest; generation++) {
        all.push(...(await readEntries(entriesPath(directory, generation))).map((line): Entry => JSON.parse(line)))
      }
      return { snapshot, entries: all }
    },
    append: (entry) => entries.append(JSON.stringify(entry)),
    mark: () => snapshots(files).at(-1)?.mark ?? 0,
    async keep(snapshot, mark) {
      await writeDurably(join(directory, `${newest + 1}.at-${mark}.snapshot`), JSON.stringify(snapshot))
      await entries.close()
      newest += 1
      entries = await entryFile(entriesPath(directory, newest))
      await forgetUnneeded()
    },
    async withdraw() {
      const last = snapshots(files).at(-1)
      if (!last || last === beginning(files)) return false
      await rm(join(directory, last.name))
      await syncDirectory(directory)
      files = await listFiles(directory)
      return true
    },
    close: () => entries.close(),
  }
}

type JournalFile = { readonly name: string; readonly generation: number; readonly mark: number | null }

function entriesPath(directory: string, generation: number): string {
  return join(directory, `${generation}.entries`)
}

async function listFiles(directory: string): Promise<JournalFile[]> {
  const names = (await readdir(directory)).filter((name) => /^\d+\.(entries|at-\d+\.snapshot)$/.test(name))
  const files = names.map((name) => {
    const mark = /at-(\d+)/.exec(name)?.[1]
    return { name, generation: Number.parseInt(name, 10), mark: mark === undefined ? null : Number(mark) }
  })
  return files.sort((a, b) => a.generation - b.generation)
}

function snapshots(files: readonly JournalFile[]): JournalFile[] {
  return files.filter((file) => file.mark !== null)
}

/** Where a load begins: the snapshot before the newest one, the very first entries, or the only snapshot there is. */
function beginning(files: readonly JournalFile[]): JournalFile {
  const first = files.find((file) => file.generation === 0)
  const candidates = first ? [first, ...snapshots(files)] : snapshots(files)
  return candidates.at(-2) ?? candidates.at(-1) ?? { name: '0.entries', generation: 0, mark: null }
}

import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findProcess, isLiving } from './processes.ts'

type Owner = { readonly pid: number; readonly birth: string }

/** The data directory belongs to a Guildhall that is still running. */
export class DataDirInUseError extends Error {
  constructor(dataDir: string, holder: string) {
    super(`The data directory ${dataDir} is in use by ${holder}. Stop that first, or choose another directory.`)
    this.name = 'DataDirInUseError'
  }
}

/**
 * Makes this process the one owner of the directory, and returns how to give it back.
 *
 * Each owner creates a file with the next number, atomically, so that only one process succeeds. The highest number is never
 * removed, so a slow process finds either its number taken or a higher one, and looks again.
 */
export async function own(dataDir: string): Promise<() => Promise<void>> {
  for (;;) {
    const last = await highest(dataDir)
    const owner = await readOwner(fileOf(dataDir, last))
    if (owner && isLiving(owner.pid, owner.birth)) {
      throw new DataDirInUseError(dataDir, `another Guildhall (process ${owner.pid})`)
    }
    const mine = last + 1
    if (!(await claim(dataDir, mine))) continue
    if ((await highest(dataDir)) === mine) {
      await removeBefore(dataDir, mine)
      return () => giveBack(dataDir, mine)
    }
    await rm(fileOf(dataDir, mine), { force: true })
  }
}

function fileOf(dataDir: string, number: number): string {
  return join(dataDir, `owner-${number}.json`)
}

async function numbers(dataDir: string): Promise<readonly number[]> {
  const names = await readdir(dataDir)
  return names.flatMap((name) => /^owner-(\d+)\.json$/.exec(name)?.[1] ?? []).map(Number)
}

async function highest(dataDir: string): Promise<number> {
  return Math.max(0, ...(await numbers(dataDir)))
}

async function readOwner(file: string): Promise<Owner | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  try {
    const owner = JSON.parse(text) as Partial<Owner>
    return owner.pid && owner.birth ? { pid: owner.pid, birth: owner.birth } : null
  } catch {
    return null
  }
}

/** A link appears with its whole content, or not at all when the name is taken. */
async function claim(dataDir: string, number: number): Promise<boolean> {
  const draft = draftIn(dataDir)
  const owner: Owner = { pid: process.pid, birth: findProcess(process.pid)?.birth ?? '' }
  await writeFile(draft, JSON.stringify(owner))
  try {
    await link(draft, fileOf(dataDir, number))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function removeBefore(dataDir: string, mine: number): Promise<void> {
  const older = (await numbers(dataDir)).filter((number) => number < mine)
  await Promise.all(older.map((number) => rm(fileOf(dataDir, number), { force: true })))
}

async function giveBack(dataDir: string, mine: number): Promise<void> {
  const draft = draftIn(dataDir)
  try {
    await writeFile(draft, '{}')
    await rename(draft, fileOf(dataDir, mine))
  } catch (error) {
    // Somebody removed the whole directory: there is nothing left to give back.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function draftIn(dataDir: string): string {
  return join(dataDir, `owner-draft-${process.pid}-${randomBytes(4).toString('hex')}`)
}

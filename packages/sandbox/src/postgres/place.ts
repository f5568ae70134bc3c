import { createHash } from 'node:crypto'
import { chmod, mkdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Binaries, findBinaries } from './binaries.ts'
import { giveFiles } from './give-files.ts'
import type { RunAs } from './guarded-spawn.ts'
import { linkLibraries } from './library-links.ts'
import { chooseRunAs } from './run-as.ts'
import { makeSocketDirectory } from './socket-directory.ts'

/** Everything about where and how one cluster runs. */
export type Place = {
  readonly dataDir: string
  readonly cluster: string
  /** In the command line of each of its processes, and unique to this directory on this machine. */
  readonly name: string
  readonly socketDir: string
  readonly binaries: Binaries
  readonly runAs: RunAs
  readonly env: Readonly<Record<string, string>>
}

/** Closes only the directory itself to others: the user PostgreSQL runs as may have to pass through those above it. */
export async function makeDataDirectory(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true })
    await chmod(path, 0o700)
    return await realpath(path)
  } catch (cause) {
    throw new Error(`The data directory ${path} cannot be used: ${(cause as Error).message}`, { cause })
  }
}

/** Finds out how PostgreSQL can run on this data directory, and prepares the directory. */
export async function preparePlace(dataDir: string): Promise<Place> {
  const binaries = findBinaries()
  const env = await linkLibraries(binaries.native, join(dataDir, 'lib'))
  const runAs = await chooseRunAs(dataDir, binaries, env)
  await giveFiles(dataDir, runAs.owner)
  const name = await nameOf(dataDir)
  const socketDir = await makeSocketDirectory(dataDir, name, runAs.owner)
  return { dataDir, cluster: join(dataDir, 'data'), name, socketDir, binaries, runAs, env }
}

/** The inode rather than the path: a container's processes, seen from outside, can name the same path and mean another directory. */
async function nameOf(dataDir: string): Promise<string> {
  const { dev, ino } = await stat(dataDir, { bigint: true })
  return `guildhall-${createHash('sha256').update(`${dev} ${ino}`).digest('hex').slice(0, 16)}`
}

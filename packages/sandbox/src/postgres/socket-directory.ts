import { lchown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunAs } from './guarded-spawn.ts'

const SOCKET_NAME = '.s.PGSQL.5432'

/** macOS allows 103 bytes and Linux 107. */
const LONGEST_SOCKET_PATH = 103

export function socketIn(directory: string): string {
  return join(directory, SOCKET_NAME)
}

/** A directory that only its owner may enter: in the data directory, or under the temporary one where that path is too long or odd. */
export async function makeSocketDirectory(dataDir: string, name: string, owner: RunAs['owner']): Promise<string> {
  const near = join(dataDir, 'socket')
  const directory = isUsable(near) ? near : join(tmpdir(), name)
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await refuseForeign(directory, owner)
  if (process.getuid?.() === 0) await lchown(directory, owner.uid, owner.gid)
  return directory
}

/** PostgreSQL splits its list of directories at commas and reads quotes, hence the plain characters. */
export function isUsable(directory: string): boolean {
  return /^[\w./@+-]+$/.test(directory) && Buffer.byteLength(socketIn(directory)) <= LONGEST_SOCKET_PATH
}

/** The temporary directory is everybody's: somebody else may have put something there under our name. */
async function refuseForeign(directory: string, owner: RunAs['owner']): Promise<void> {
  const found = await lstat(directory)
  const isOurs = found.uid === process.getuid?.() || found.uid === owner.uid
  if (found.isDirectory() && isOurs && (found.mode & 0o077) === 0) return
  throw new Error(`${directory} is meant for PostgreSQL's socket but is not a directory of ours alone: remove it.`)
}

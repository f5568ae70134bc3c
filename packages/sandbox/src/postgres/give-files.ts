import { lchown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunAs } from './guarded-spawn.ts'

/** Gives a directory and its contents to the user PostgreSQL runs as; the directory comes last, so its owner shows that all is done. */
export async function giveFiles(directory: string, owner: RunAs['owner']): Promise<void> {
  if (process.getuid?.() !== 0 || (await lstat(directory)).uid === owner.uid) return
  await giveAll(directory, owner)
}

async function giveAll(path: string, owner: RunAs['owner']): Promise<void> {
  if ((await lstat(path)).isDirectory()) {
    for (const name of await readdir(path)) await giveAll(join(path, name), owner)
  }
  await lchown(path, owner.uid, owner.gid)
}

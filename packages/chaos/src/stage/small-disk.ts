import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A disk for PostgreSQL alone, so that it can be filled. */
export type SmallDisk = {
  readonly directory: string
  /** Leaves no room for another byte. */
  fill(): Promise<void>
  empty(): Promise<void>
  unmount(): Promise<void>
}

const run = promisify(execFile)
const STEPS = [1 << 20, 1 << 14, 1 << 10, 1]

/** Mounting needs root. */
export async function mountSmallDisk(directory: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(directory, { recursive: true })
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'guildhall-chaos', directory])
  const filler = join(directory, 'filler')
  return {
    directory,
    async fill() {
      const file = await open(filler, 'w')
      try {
        for (const bytes of STEPS) await appendUntilFull(file, Buffer.alloc(bytes, 1))
      } finally {
        await file.close()
      }
    },
    empty: () => rm(filler, { force: true }),
    unmount: async () => void (await run('umount', ['-l', directory])),
  }
}

async function appendUntilFull(file: Awaited<ReturnType<typeof open>>, chunk: Buffer): Promise<void> {
  try {
    for (;;) await file.appendFile(chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

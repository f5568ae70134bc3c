import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '../write-durably.ts'
import { runGuarded } from './guarded-spawn.ts'
import type { Place } from './place.ts'

/** The superuser of every cluster made here; whoever may enter the socket's directory can connect as it. */
export const SUPERUSER = 'guildhall'

/** Creates the cluster unless it exists. It is renamed into place only when it is complete and on disk. */
export async function ensureCluster(place: Place): Promise<void> {
  await removeAbandoned(place.dataDir)
  if (existsSync(place.cluster)) return
  const fresh = join(place.dataDir, `init-${process.pid}-${randomBytes(4).toString('hex')}`)
  const { ok, output } = await runGuarded({
    runAs: place.runAs,
    env: place.env,
    path: place.binaries.initdb,
    args: initdbArguments(fresh),
  })
  if (!ok) throw new Error(`PostgreSQL could not make its data directory ${fresh}:\n${output}`)
  await rename(fresh, place.cluster)
  await syncDirectory(place.dataDir)
}

/** initdb writes everything through to the disk before it ends, unless told not to. */
function initdbArguments(directory: string): readonly string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${SUPERUSER}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
  ]
}

/** An initdb that was cut off may still be writing for a moment; what cannot be removed now goes at the next start. */
async function removeAbandoned(dataDir: string): Promise<void> {
  const abandoned = (await readdir(dataDir)).filter((name) => /^(init|owner-draft)-/.test(name))
  const removals = abandoned.map((name) => rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 }))
  await Promise.allSettled(removals)
}

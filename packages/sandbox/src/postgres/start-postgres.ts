import { rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ensureDatabase } from './ensure-database.ts'
import { ensureCluster, SUPERUSER } from './initdb.ts'
import { own } from './owner-lock.ts'
import { makeDataDirectory, type Place, preparePlace } from './place.ts'
import { supervise } from './supervise.ts'

export type Postgres = {
  readonly url: string
  /** The server now running; null between two runs. */
  readonly pid: () => number | null
  urlOf(database: string): string
  stop(): Promise<void>
}

export type StartPostgres = {
  readonly dataDir: string
  readonly log: (line: string) => void
  readonly settings?: Readonly<Record<string, string>>
  readonly database?: string
}

/** Starts the PostgreSQL of the packages on a directory of its own, keeps it running, and leaves nothing behind when this process ends. */
export async function startPostgres(options: StartPostgres): Promise<Postgres> {
  const { log, settings = {}, database = 'guildhall' } = options
  const dataDir = await makeDataDirectory(options.dataDir)
  const giveBack = await own(dataDir)
  try {
    const place = await preparePlace(dataDir)
    await ensureCluster(place)
    const server = await supervise({ place, settings, log })
    const urlOf = (name: string) => urlAt(place, name)
    await ensureDatabase(database, urlOf).catch(async (error: unknown) => {
      await server.stop()
      throw error
    })
    const shutDown = async () => {
      await server.stop()
      await removeFarSocket(place)
      await giveBack()
    }
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= shutDown()
      return stopped
    }
    return { url: urlOf(database), pid: server.pid, urlOf, stop }
  } catch (error) {
    await giveBack()
    throw error
  }
}

/** The host in the query is used; the one before it only makes this a URL that every parser accepts. */
function urlAt(place: Place, database: string): string {
  const host = encodeURIComponent(place.socketDir)
  return `postgresql://${SUPERUSER}@localhost:5432/${encodeURI(database)}?host=${host}`
}

async function removeFarSocket({ dataDir, socketDir }: Place): Promise<void> {
  if (dirname(socketDir) !== dataDir) await rmdir(socketDir).catch(() => {})
}

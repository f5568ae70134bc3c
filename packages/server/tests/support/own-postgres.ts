import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Postgres, startPostgres } from '@guildhall/sandbox'
import { migrate } from '../../src/store/migrate.ts'
import type { FreshDatabase } from './database.ts'
import { silentLog } from './store.ts'

const run = promisify(execFile)

/** A PostgreSQL of one's own, which can be stopped, copied as it lies on the disk, and put back. */
export function ownPostgres() {
  let directory: string
  let postgres: Postgres
  let standby: Postgres | null = null
  const dataDir = () => join(directory, 'postgres')
  const cluster = () => join(dataDir(), 'data')
  const start = async () => {
    postgres = await startPostgres({ dataDir: dataDir(), log: () => {}, settings: { fsync: 'off' } })
  }
  return {
    async open(): Promise<FreshDatabase> {
      directory = await mkdtemp(join(tmpdir(), 'guildhall-copies-'))
      await start()
      await migrate(postgres.url, silentLog)
      return {
        url: postgres.url,
        async drop() {
          await standby?.stop()
          await postgres.stop()
          await rm(directory, { recursive: true, force: true })
        },
      }
    },
    /** A cold copy; the server runs again when it is taken. */
    async copy(name: string): Promise<void> {
      await postgres.stop()
      await run('cp', ['-a', cluster(), join(directory, name)])
      await start()
    },
    /** A second server that streams every change from this one and can only be read. */
    async follow(): Promise<Postgres> {
      const copy = join(directory, 'standby')
      await mkdir(copy)
      await postgres.stop()
      await run('cp', ['-a', cluster(), join(copy, 'data')])
      await start()
      await writeFile(join(copy, 'data', 'standby.signal'), '')
      const host = new URL(postgres.url).searchParams.get('host')
      standby = await startPostgres({
        dataDir: copy,
        log: () => {},
        settings: {
          fsync: 'off',
          primary_conninfo: `host=${host} user=guildhall`,
          wal_retrieve_retry_interval: '100ms',
        },
      })
      return standby
    },
    async restore(name: string): Promise<void> {
      await postgres.stop()
      await rm(cluster(), { recursive: true })
      await run('cp', ['-a', join(directory, name), cluster()])
      await start()
    },
  }
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DataDirInUseError } from './owner-lock.ts'
import { processesNaming } from './processes.ts'
import { type Postgres, type StartPostgres, startPostgres } from './start-postgres.ts'
import { firstLine, type Identity, killAndWait, runScript } from './test-process.ts'

const isRoot = process.getuid?.() === 0
const ordinary = { uid: 65534, gid: 65534 }
const ordinaryCanRun = isRoot && spawnSync(process.execPath, ['--version'], { cwd: '/', ...ordinary }).status === 0

let home: string
let dataDir: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-'))
  await chmod(home, 0o755)
  dataDir = join(home, 'postgres')
})

afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))

describe('one data directory, from test to test', () => {
  test('a first start makes the cluster and the database, with checksums and the same order of text everywhere', async () => {
    const postgres = await start()
    expect(await ask(postgres, 'select current_database() as name')).toEqual([{ name: 'guildhall' }])
    expect(await ask(postgres, 'show data_checksums')).toEqual([{ data_checksums: 'on' }])
    const locale = 'select datlocprovider, datlocale from pg_database where datname = current_database()'
    expect(await ask(postgres, locale)).toEqual([{ datlocprovider: 'b', datlocale: 'C.UTF-8' }])
    await ask(postgres, 'create table note (text text)')
    await ask(postgres, "insert into note values ('first')")
  })

  test('nobody else on the machine reaches it: no port, and a socket in a closed directory', async () => {
    const postgres = await start()
    expect(await ask(postgres, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    const socketDir = new URL(postgres.url).searchParams.get('host') ?? ''
    expect((await stat(socketDir)).mode & 0o777).toBe(0o700)
  })

  test('what was written is there after a stop and a start, and a stop leaves no process', async () => {
    const postgres = await start({ settings: { work_mem: '7MB' } })
    expect(await ask(postgres, 'select text from note')).toEqual([{ text: 'first' }])
    expect(await ask(postgres, 'show work_mem')).toEqual([{ work_mem: '7MB' }])
    await Promise.all([postgres.stop(), postgres.stop()])
    expect(postgres.pid()).toBeNull()
    await eventually(() => processesNaming(dataDir).length === 0)
  })

  test('a server killed while a query is busy comes back by itself with every committed row', async () => {
    const postgres = await start()
    const busy = ask(postgres, 'select count(*) from generate_series(1, 100000000000)').catch(() => 'cut off')
    const busyOnes =
      "select from pg_stat_activity where state = 'active' and query like '%generate_series%' and pid <> pg_backend_pid()"
    await eventually(async () => (await ask(postgres, busyOnes)).length > 0)
    await ask(postgres, "insert into note values ('before the crash')")
    const killed = postgres.pid()
    kill(killed)
    await eventually(() => postgres.pid() !== null && postgres.pid() !== killed)
    const rows = await eventually(() => ask(postgres, 'select text from note').catch(() => null))
    expect(rows).toEqual([{ text: 'first' }, { text: 'before the crash' }])
    expect(await busy).toBe('cut off')
  })

  test('a second start on a directory in use is refused, here and from another process', async () => {
    const postgres = await start()
    await expect(start()).rejects.toThrow(DataDirInUseError)
    expect(await firstLine(owningProcess(dataDir))).toMatch(new RegExp(`^DataDirInUseError .*process ${process.pid}`))
    expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('the kill of its owner leaves no PostgreSQL behind, and the next start works', async () => {
    const owner = owningProcess(dataDir)
    expect(await firstLine(owner)).toMatch(/^up /)
    await killAndWait(owner)
    await eventually(() => processesNaming(dataDir).length === 0)
    const postgres = await start()
    expect(await ask(postgres, 'select count(*)::int from note')).toEqual([{ count: 2 }])
  })

  test('a start right after the kill of the owner stops the orphan first', async () => {
    const owner = owningProcess(dataDir)
    const orphan = (await firstLine(owner))?.replace('up ', '')
    await killAndWait(owner)
    const postgres = await start()
    expect(postgres.pid()).not.toBe(Number(orphan))
    expect(await ask(postgres, 'select count(*)::int from note')).toEqual([{ count: 2 }])
  })

  test('lock files with the pid of another living process do not keep it from starting', async () => {
    const stranger = spawn('sleep', ['3600'], { stdio: 'ignore' })
    onTestFinished(() => killAndWait(stranger))
    const stale = `${stranger.pid}\n${dataDir}/data\n1700000000\n5432\n${dataDir}/socket\n\n  5432001    999999\nready   \n`
    await writeFile(join(dataDir, 'data', 'postmaster.pid'), stale)
    await writeFile(join(dataDir, 'socket', '.s.PGSQL.5432.lock'), stale)
    const postgres = await start()
    expect(await ask(postgres, 'select count(*)::int from note')).toEqual([{ count: 2 }])
    expect(stranger.exitCode).toBeNull()
  })

  test('a server that answers although none of its processes is seen, as from another container, is left alone', async () => {
    const stranger = createServer().listen(join(dataDir, 'socket', '.s.PGSQL.5432'))
    onTestFinished(() => void stranger.close())
    await expect(start()).rejects.toThrow(DataDirInUseError)
  })

  test('a setting PostgreSQL does not know is told at once, and the directory is free again', async () => {
    await expect(start({ settings: { no_such_setting: '1' } })).rejects.toThrow(/unrecognized configuration parameter/)
    await start()
  })

  test('another database is made on demand', async () => {
    const postgres = await start({ database: 'with "quotes" & more' })
    expect(await ask(postgres, 'select current_database() as name')).toEqual([{ name: 'with "quotes" & more' }])
    await ask({ url: postgres.urlOf('guildhall') }, 'select from note')
  })

  test('a data directory too deep for a socket has its socket under the temporary directory', async () => {
    const deep = join(home, 'deep, '.repeat(20), 'postgres')
    await cp(dataDir, deep, { recursive: true, mode: 2 })
    const postgres = await start({ dataDir: deep })
    expect(await ask(postgres, 'select count(*)::int from note')).toEqual([{ count: 2 }])
    const socketDir = new URL(postgres.url).searchParams.get('host') ?? ''
    expect(dirname(socketDir)).toBe(tmpdir())
    await postgres.stop()
    await expect(stat(socketDir)).rejects.toThrow('ENOENT')
  })

  test.runIf(isRoot)(
    'root without user namespaces runs it as another user, also below a closed directory',
    async () => {
      const closed = join(home, 'closed')
      await mkdir(closed, { mode: 0o700 })
      const moved = join(closed, 'postgres')
      await cp(dataDir, moved, { recursive: true })
      await startAndStop(moved, { env: { PATH: await toolbox('sleep', 'setpriv') } })
      expect((await stat(join(moved, 'data'))).uid).not.toBe(0)
      await chmod(closed, 0o755)
      await startAndStop(moved, { env: { PATH: await toolbox('sleep') } })
      await startAndStop(moved)
      expect((await stat(join(moved, 'data'))).uid).not.toBe(0)
    },
  )
})

test('kills in the middle of the first start never spoil the next', async () => {
  const fresh = join(home, 'interrupted')
  const kills = [40, 120, 250, 400, 550, 700].map((afterMs, i) => ({ afterMs, andAll: i % 2 === 1 }))
  for (const { afterMs, andAll } of kills) {
    const owner = owningProcess(fresh)
    await eventually(() => stat(fresh).catch(() => null))
    await Promise.race([pause(afterMs), firstLine(owner)])
    await killAndWait(owner)
    if (andAll) for (const { pid } of processesNaming(fresh)) kill(pid)
  }
  const postgres = await start({ dataDir: fresh })
  expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
  await postgres.stop()
  await eventually(() => processesNaming(fresh).length === 0)
})

test.runIf(ordinaryCanRun)('an ordinary user runs it too', async () => {
  const theirs = join(home, 'theirs')
  await mkdir(theirs)
  await chmod(theirs, 0o777)
  await startAndStop(join(theirs, 'postgres'), ordinary)
  expect((await stat(join(theirs, 'postgres', 'data'))).uid).toBe(ordinary.uid)
})

async function start(options: Partial<StartPostgres> = {}): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir, log: () => {}, ...options })
  onTestFinished(() => postgres.stop())
  return postgres
}

async function startAndStop(
  directory: string,
  options: Identity & { env?: Record<string, string> } = {},
): Promise<void> {
  const child = runScript(
    `const { startPostgres } = await load('start-postgres.ts')
     const postgres = await startPostgres({ dataDir: '${directory}', log: () => {} })
     await postgres.stop()
     console.log('done')`,
    options,
  )
  expect(await firstLine(child)).toBe('done')
}

/** Prints `up` and the pid of the server, or the error; then lives until it is killed. */
function owningProcess(directory: string): ChildProcess {
  const child = runScript(
    `const { startPostgres } = await load('start-postgres.ts')
     await startPostgres({ dataDir: '${directory}', log: () => {} })
       .then((postgres) => console.log('up ' + postgres.pid()), (error) => console.log(error.name + ' ' + error.message))`,
  )
  onTestFinished(() => killAndWait(child))
  return child
}

async function ask({ url }: { readonly url: string }, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(statement)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** A search path that holds these programs only. */
async function toolbox(...programs: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(home, 'tools-'))
  await chmod(directory, 0o755)
  for (const program of programs) {
    const found = spawnSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim()
    await symlink(found, join(directory, program))
  }
  return directory
}

function kill(pid: number | null): void {
  try {
    if (pid !== null) process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function eventually<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() > deadline) throw new Error('It did not happen within a minute.')
    await pause(10)
  }
}

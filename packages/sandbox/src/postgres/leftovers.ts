import { readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DataDirInUseError } from './owner-lock.ts'
import type { Place } from './place.ts'
import { postmasterPidFile, readPostmasterPid } from './postmaster-pid.ts'
import { findProcess, type ProcessInfo, processesNaming } from './processes.ts'
import { socketIn } from './socket-directory.ts'

/** Ends and tidies up what an earlier PostgreSQL on this data directory left behind. Only the owner of the directory may call it. */
export async function clearLeftovers(place: Place): Promise<void> {
  await stopOrphans(place)
  await refuseStranger(place)
  await removeStaleLock(place)
  await removeSockets(place.socketDir)
}

async function stopOrphans(place: Place): Promise<void> {
  const alive = () => postgresProcesses(place.name)
  const servers = alive().filter(isServer)
  if (servers.length > 0) {
    signal(servers, 'SIGINT')
    if (!(await settles(() => !alive().some(isServer), 5_000))) signal(alive().filter(isServer), 'SIGQUIT')
    await settles(() => !alive().some(isServer), 3_000)
  }
  // Without their server the others only hold its memory; one that is busy would keep a new server from starting.
  signal(alive(), 'SIGKILL')
  if (await settles(() => alive().length === 0, 5_000)) return
  throw new Error(`An earlier PostgreSQL on ${place.dataDir} does not end (process ${alive()[0]?.pid}).`)
}

/** A server shows the command it was started with, its children show a title. */
function postgresProcesses(name: string): readonly ProcessInfo[] {
  return processesNaming(name).filter((found) => isServer(found) || found.command.startsWith('postgres: '))
}

function isServer(found: ProcessInfo): boolean {
  return !found.command.startsWith('/bin/sh ') && basename(found.command.split(' -D ')[0] ?? '') === 'postgres'
}

function signal(processes: readonly ProcessInfo[], name: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** None of our processes is left, yet somebody answers: a container that shares the directory, whose processes we cannot see. */
async function refuseStranger(place: Place): Promise<void> {
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect(socketIn(place.socketDir))
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
  if (answers) throw new DataDirInUseError(place.dataDir, 'a PostgreSQL outside this system, perhaps in a container')
}

/**
 * PostgreSQL takes any process with the pid in the file for an earlier server, even an unrelated one or a zombie that init has not
 * reaped yet. Neither uses our files.
 */
async function removeStaleLock({ dataDir, cluster }: Place): Promise<void> {
  const lock = await readPostmasterPid(cluster)
  const holder = lock && findProcess(lock.pid)
  if (!holder) return
  if (isServer(holder) && holder.command.includes(cluster)) {
    throw new DataDirInUseError(dataDir, `a PostgreSQL that Guildhall did not start (process ${holder.pid})`)
  }
  await rm(postmasterPidFile(cluster), { force: true })
}

async function removeSockets(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith('.s.PGSQL.'))
  await Promise.all(names.map((name) => rm(join(directory, name), { force: true })))
}

async function settles(condition: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!condition()) {
    if (performance.now() > deadline) return false
    await pause(10)
  }
  return true
}

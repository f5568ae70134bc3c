import { readdir, readFile } from 'node:fs/promises'
import type { Pool } from 'pg'

/** CPU time of all PostgreSQL processes, in microseconds; null where the system does not provide it. */
export type PostgresCpu = () => Promise<number | null>

/** The unit in which Linux counts the CPU time of processes. */
const TICK_MICROSECONDS = 10_000

export async function watchPostgresCpu(database: Pool): Promise<PostgresCpu> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = (await processOf(rows[0]?.pid ?? 0))?.parent ?? null
  return async () => {
    if (postmaster === null) return null
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const all = await Promise.all(ids.map((id) => processOf(Number(id))))
    const ended = (await processOf(postmaster))?.endedChildren ?? 0
    return all.reduce((sum, one) => sum + (one?.parent === postmaster ? one.microseconds : 0), ended)
  }
}

type Process = {
  readonly parent: number
  readonly microseconds: number
  /** CPU time of children that have ended. */
  readonly endedChildren: number
}

/** The fields of /proc/PID/stat follow the name, which may hold anything. */
async function processOf(id: number): Promise<Process | null> {
  const text = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = (user: number, system: number) => (Number(fields[user]) + Number(fields[system])) * TICK_MICROSECONDS
  return { parent: Number(fields[1]), microseconds: ticks(11, 12), endedChildren: ticks(13, 14) }
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type PostmasterPid = { readonly pid: number; readonly ready: boolean }

export function postmasterPidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

/** What the running PostgreSQL, or one that ended without tidying up, wrote about itself: its pid in line 1, its state in line 8. */
export async function readPostmasterPid(cluster: string): Promise<PostmasterPid | null> {
  const text = await readFile(postmasterPidFile(cluster), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : null
}

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** `birth` tells a process from a later one that was given the same pid. */
export type ProcessInfo = {
  readonly pid: number
  readonly birth: string
  readonly zombie: boolean
  readonly command: string
}

export function findProcess(pid: number): ProcessInfo | null {
  if (process.platform === 'linux') return readProc(pid)
  return readPs().find((found) => found.pid === pid) ?? null
}

/** A zombie holds no resources, so it does not count as living. */
export function isLiving(pid: number, birth?: string): boolean {
  const found = findProcess(pid)
  return found !== null && !found.zombie && (birth === undefined || found.birth === birth)
}

/** The living processes whose command line contains the text. */
export function processesNaming(text: string): readonly ProcessInfo[] {
  const all = process.platform === 'linux' ? listProc(text) : readPs()
  return all.filter((found) => !found.zombie && found.pid !== process.pid && found.command.includes(text))
}

function listProc(text: string): readonly ProcessInfo[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const naming = pids.filter((pid) => readOrNull(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').includes(text))
  return naming.map((pid) => readProc(Number(pid))).filter((found) => found !== null)
}

function readProc(pid: number): ProcessInfo | null {
  const stat = readOrNull(`/proc/${pid}/stat`)
  const command = readOrNull(`/proc/${pid}/cmdline`)
  if (stat === null || command === null) return null
  // The name in brackets may hold spaces and brackets itself; what follows the last one starts with the state.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTicks] = [fields[0], fields[19]]
  const boot = readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  const zombie = state === 'Z' || state === 'X'
  return { pid, birth: `${boot} ${startTicks}`, zombie, command: command.replaceAll('\0', ' ').trim() }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** The same by `ps`, for systems without /proc. */
export function readPs(): readonly ProcessInfo[] {
  const columns = 'pid=,stat=,lstart=,command='
  const ps = spawnSync('ps', ['-axwwo', columns], { encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C' } })
  if (ps.error) throw ps.error
  return ps.stdout.split('\n').flatMap((line) => {
    const [, pid, state, birth, command] = /^\s*(\d+)\s+(\S+)\s+((?:\S+\s+){4}\d{4})\s+(.*)$/.exec(line) ?? []
    if (!pid || !state || !birth || command === undefined) return []
    return [{ pid: Number(pid), birth, zombie: state.startsWith('Z'), command: command.trim() }]
  })
}

import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { type Account, type RunAs, runGuarded } from './guarded-spawn.ts'

/** PostgreSQL refuses to run as root, so root needs another identity for it; other users run it as themselves. */
export async function chooseRunAs(dataDir: string, binaries: Binaries, env: Record<string, string>): Promise<RunAs> {
  const us = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const candidates = us.uid === 0 ? await candidatesOfRoot(dataDir) : [asOurselves(us)]
  const refusals: string[] = []
  for (const runAs of candidates) {
    const { ok, output } = await runGuarded({ runAs, env, path: '/bin/sh', args: probe(binaries, dataDir) })
    if (ok) return runAs
    refusals.push(output)
  }
  const reasons = [...new Set(refusals)].filter(Boolean).join('\n')
  throw new Error(
    `PostgreSQL cannot be run here (it needs glibc 2.27 or later, and as root an account postgres or nobody that can reach ${dataDir}). ` +
      `Choose another directory, run as an ordinary user, or set DATABASE_URL to an existing PostgreSQL 15 or later.\n${reasons}`,
  )
}

function probe({ postgres }: Binaries, dataDir: string): readonly string[] {
  return ['-c', 'test -x "$2/." && exec "$1" --version', 'probe', postgres, dirname(dataDir)]
}

async function candidatesOfRoot(dataDir: string): Promise<readonly RunAs[]> {
  const accounts = await readAccounts()
  const cluster = await stat(join(dataDir, 'data')).catch(() => null)
  if (cluster && cluster.uid !== 0) return [asUser(cluster), asReachingUser(cluster)]
  const nobody = accounts.get('nobody') ?? { uid: 65534, gid: 65534 }
  const others = ['postgres', '_postgres', 'nobody'].flatMap((name) => accounts.get(name) ?? [])
  return [inUserNamespace(nobody), ...others.map(asUser), ...others.map(asReachingUser)]
}

function asOurselves(us: Account): RunAs {
  return { prefix: [], identity: {}, owner: us }
}

/** PostgreSQL sees another user while the files stay root's, so it reaches whatever root's own permissions reach. */
function inUserNamespace({ uid, gid }: Account): RunAs {
  const prefix = ['unshare', '-U', `--map-user=${uid}`, `--map-group=${gid}`]
  return { prefix, identity: {}, owner: { uid: 0, gid: 0 } }
}

function asUser({ uid, gid }: Account): RunAs {
  return { prefix: [], identity: { uid, gid }, owner: { uid, gid } }
}

/** The same user with root's right to pass closed directories, for a data directory in root's home. */
function asReachingUser({ uid, gid }: Account): RunAs {
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const prefix = ['setpriv', ...user, '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return { prefix, identity: {}, owner: { uid, gid } }
}

async function readAccounts(): Promise<ReadonlyMap<string, Account>> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [name, , uid, gid] = line.split(':')
      return name && uid && gid ? [[name, { uid: Number(uid), gid: Number(gid) }] as const] : []
    }),
  )
}

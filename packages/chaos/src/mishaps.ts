import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Chance } from './chance.ts'
import type { ServiceNode } from './stage/start-node.ts'
import type { Stage } from './stage/start-stage.ts'
import { until } from './until.ts'

/** Something that happens to the processes of a service. */
export type Mishap = { readonly name: string; happen(stage: Stage, chance: Chance): Promise<void> }

/** Longer than the lease on a payment: a node frozen this long has lost its lease. */
const LEASE_IS_OVER_SECONDS = 130
const END_MS = 60_000

export const mishaps: readonly Mishap[] = [
  { name: 'node 1 killed', happen: ({ nodes }) => kill(nodes[0].pid()) },
  { name: 'node 2 killed', happen: ({ nodes }) => kill(nodes[1].pid()) },
  {
    name: 'both nodes killed',
    async happen({ nodes }) {
      await Promise.all(nodes.map((node) => kill(node.pid())))
    },
  },
  { name: 'worker killed', happen: ({ worker }) => kill(worker.pid()) },
  { name: 'node 1 told to stop', happen: ({ nodes }) => end(nodes[0].pid(), 'SIGTERM') },
  { name: 'facilitator killed', happen: ({ parts }) => kill(parts.facilitatorPid()) },
  {
    name: 'a chain’s node killed',
    happen: ({ parts }, chance) => kill(chance.shuffled(parts.chains)[0]?.pid() ?? null),
  },
  {
    name: 'everything killed at once',
    async happen({ nodes, worker, parts, postgres }) {
      const chains = parts.chains.map((chain) => chain.pid())
      const pids = [...nodes, worker].map((node) => node.pid())
      await Promise.all([...pids, ...chains, parts.facilitatorPid(), postgres.pid()].map(kill))
    },
  },
  { name: 'PostgreSQL killed', happen: ({ postgres }) => kill(postgres.pid()) },
  { name: 'a backend of PostgreSQL killed', happen: async (stage, chance) => kill(await someBackend(stage, chance)) },
  { name: 'node 1 frozen', happen: (stage, chance) => freeze(stage, stage.nodes[0], chance) },
  { name: 'node 2 frozen', happen: (stage, chance) => freeze(stage, stage.nodes[1], chance) },
]

/** For a database on its own disk. */
export const diskMishaps: readonly Mishap[] = [
  { name: 'the disk full', happen: fillDisk },
  {
    name: 'PostgreSQL killed on a full disk',
    happen: (stage, chance) => fillDisk(stage, chance, () => kill(stage.postgres.pid())),
  },
]

/** The disk stays full for a while, in which clients are told to retry. */
async function fillDisk({ disk }: Stage, chance: Chance, meanwhile = async () => {}): Promise<void> {
  if (!disk) throw new Error('There is no disk to fill.')
  await disk.fill()
  try {
    await meanwhile()
    await pause(chance.between(2_000, 8_000))
  } finally {
    await disk.empty()
  }
}

const kill = (pid: number | null): Promise<void> => end(pid, 'SIGKILL')

async function end(pid: number | null, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (pid === null || !signalled(pid, signal)) return
  if (!(await until(() => isGone(pid), END_MS))) throw new Error(`Process ${pid} does not end.`)
}

const isGone = (pid: number): boolean => !signalled(pid, 0)

/** False when the process has ended by itself meanwhile, as a backend of PostgreSQL does when its node closes the connection. */
function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** One of the nodes' open database connections. */
async function someBackend({ postgres }: Stage, chance: Chance): Promise<number | null> {
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() order by pid`,
  )
  await client.end()
  const [first, ...others] = rows
  return first ? chance.pick([first, ...others]).pid : null
}

/** The node is frozen past the end of its leases, and wakes up in the middle of its work, unless it has ended meanwhile. */
async function freeze(stage: Stage, node: ServiceNode, chance: Chance): Promise<void> {
  const pid = node.pid()
  if (pid === null || !signalled(pid, 'SIGSTOP')) return
  try {
    await stage.moveClock(LEASE_IS_OVER_SECONDS)
    await pause(chance.between(1_000, 4_000))
  } finally {
    signalled(pid, 'SIGCONT')
  }
}

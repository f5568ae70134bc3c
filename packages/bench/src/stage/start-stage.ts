import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Parts, startParts } from '@guildhall/sandbox'
import { createLog, migrate } from '@guildhall/server/desk'
import type { Pool } from 'pg'
import type { Plan } from '../plan.ts'
import { type BenchAgent, makeAgent } from '../seed/bench-agent.ts'
import { seedAgents } from '../seed/seed-agents.ts'
import { seedBaseline } from '../seed/seed-baseline.ts'
import { seedBoard } from '../seed/seed-board.ts'
import { seedLedger } from '../seed/seed-ledger.ts'
import { openDatabase } from './open-database.ts'
import { type PostgresCpu, watchPostgresCpu } from './postgres-cpu.ts'
import { type BaselineKind, startBaseline } from './start-baseline.ts'
import type { MeasuredServer } from './start-process.ts'
import { startServiceNode } from './start-service-node.ts'
import { untilQuiet } from './until-quiet.ts'

/** A service with its database. */
export type Board = { readonly server: MeasuredServer; readonly database: Pool }

/** Everything that is measured, started and filled. */
export type Stage = {
  readonly parts: Parts
  readonly baselines: Readonly<Record<BaselineKind, MeasuredServer>>
  readonly small: Board
  readonly large: Board
  readonly agents: readonly BenchAgent[]
  readonly postgresCpu: PostgresCpu
  stop(): Promise<void>
}

/**
 * What an operator gives a database that shares its machine: an eighth of the memory, so that the million tasks mostly fit, and a
 * WAL large enough that commits need not wait for a new, zero-filled segment.
 */
const databaseSettings = {
  shared_buffers: `${Math.floor(totalmem() / 8 / 1024 ** 2)}MB`,
  min_wal_size: '2GB',
  max_wal_size: '8GB',
}

export async function startStage(plan: Plan, tell: (line: string) => void): Promise<Stage> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  const kept = <S extends { stop(): Promise<void> }>(started: S): S => {
    stops.push(started.stop)
    return started
  }
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'guildhall-bench-'))
    stops.push(() => rm(dataDir, { recursive: true, force: true }))
    tell('starting PostgreSQL, chains and facilitator …')
    const parts = kept(await startParts({ dataDir, databaseUrl: null, databaseSettings, log: tellOfTrouble }))
    const agents = Array.from({ length: plan.agents }, makeAgent)

    const addDatabase = async (name: string) => {
      const url = await createDatabase(parts.databaseUrl, name)
      const database = openDatabase(url, 2)
      stops.push(() => database.end())
      return { url, database }
    }
    const openBoard = async (name: string, size: number): Promise<Board> => {
      tell(`filling a board with ${size.toLocaleString('en')} tasks …`)
      const { url, database } = await addDatabase(name)
      await migrate(url, createLog('warn'))
      await seedAgents(database, agents)
      await seedBoard(database, size)
      return { server: kept(await startServiceNode(parts, dataDir, url)), database }
    }

    const baseline = await addDatabase('baseline')
    await seedBaseline(baseline.database)
    const start = async (kind: BaselineKind) => kept(await startBaseline(kind, baseline.url))
    const baselines = {
      plain: await start('plain'),
      select: await start('select'),
      verify: await start('verify'),
      transaction: await start('transaction'),
    }
    await change(baseline.database, 'set autovacuum = off')
    const small = await openBoard('small', plan.smallBoard)
    const large = await openBoard('large', plan.largeBoard)
    tell(`sealing ${plan.ledgerEntries.toLocaleString('en')} entries of the ledger …`)
    await seedLedger(large.database, plan.ledgerEntries)
    await untilQuiet(large.database)
    await change(large.database, 'reset autovacuum')
    await large.database.query('checkpoint')
    const postgresCpu = await watchPostgresCpu(large.database)
    return { parts, baselines, small, large, agents, postgresCpu, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Changes a server setting: while boards are filled, autovacuum need not run after every part of them. */
async function change(database: Pool, setting: string): Promise<void> {
  await database.query(`alter system ${setting}`)
  await database.query('select pg_reload_conf()')
}

const tellOfTrouble = (line: string): void => {
  if (!line.includes('LOG:')) console.error(line)
}

/** Creates a database on the same server and returns its URL. */
async function createDatabase(beside: string, name: string): Promise<string> {
  const database = openDatabase(beside, 1)
  await database.query(`create database ${name}`)
  await database.end()
  const url = new URL(beside)
  url.pathname = `/${name}`
  return url.href
}

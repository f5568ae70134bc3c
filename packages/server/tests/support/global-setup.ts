import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../../sandbox/src/postgres/start-postgres.ts'
import { migrate } from '../../src/store/migrate.ts'
import { urlOf } from './database-url.ts'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: this one adds to vitest's own.
  interface ProvidedContext {
    /** `url` is where tests find their databases: the server itself, or a pooler in front of it. */
    readonly database: { readonly adminUrl: string; readonly url: string; readonly template: string }
  }
}

const silent = { info() {}, warn() {}, alarm() {} }

/**
 * One PostgreSQL for the whole run, with a migrated database that every test file copies: the packages' own, or the one at
 * TEST_DATABASE_URL, then with TEST_POOLER_URL through a pooler in front of it.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await ownServer(process.env.TEST_DATABASE_URL)
  const template = `guildhall_template_${process.pid}`
  await onAdmin(server.url, `create database ${template}`)
  await migrate(urlOf(server.url, template), silent)
  provide('database', { adminUrl: server.url, url: process.env.TEST_POOLER_URL ?? server.url, template })
  return async () => {
    await onAdmin(server.url, `drop database ${template} with (force)`)
    await server.stop()
  }
}

async function ownServer(given: string | undefined): Promise<{ readonly url: string; stop(): Promise<void> }> {
  if (given !== undefined) return { url: given, stop: async () => {} }
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-test-'))
  const dataDir = join(directory, 'postgres')
  const postgres = await startPostgres({ dataDir, log: () => {}, settings: { max_connections: '400', fsync: 'off' } })
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function onAdmin(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

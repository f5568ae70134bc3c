import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@guildhall/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from './open-database.ts'

test('a database that stops is no uncaught error, and is noticed by the next query', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-database-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), log: () => {} })
  const database = openDatabase(postgres.url, 1)
  await database.query('select 1')
  await postgres.stop()
  await expect(database.query('select 1')).rejects.toThrow()
  await database.end()
})

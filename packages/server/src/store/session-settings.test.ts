import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { silentLog, storeBench } from '../../tests/support/store.ts'
import { createPostgresStore } from './postgres-store.ts'
import { sessionSettings } from './session-settings.ts'

const bench = storeBench()

test('a session has every setting, and one that was started otherwise is told what it lacks', async () => {
  const store = createPostgresStore({ databaseUrl: bench.url, log: silentLog })
  expect(await store.missingSettings()).toEqual([])
  await store.close()

  const url = new URL(bench.url)
  url.searchParams.set('options', '-c jit=on -c lock_timeout=2s')
  const other = createPostgresStore({ databaseUrl: url.href, log: silentLog })
  expect(await other.missingSettings()).toEqual(
    expect.arrayContaining(['jit = off', 'statement_timeout = 3500ms', 'pg_trgm.similarity_threshold = 0.2']),
  )
  expect(await other.missingSettings()).not.toContain('lock_timeout = 2s')
  await other.close()
})

test('deploy/pgbouncer.ini sets what nodes ask for, and takes no offence at being asked', async () => {
  const file = await readFile(new URL('../../../../deploy/pgbouncer.ini', import.meta.url), 'utf8')
  const lineOf = (word: string) => file.split('\n').find((line) => line.includes(word)) ?? ''
  const set = [...lineOf("connect_query='").matchAll(/set (\S+) = "?([^";']+)/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const carriedOver = ['TimeZone']
  const expected = Object.entries(sessionSettings).filter(([name]) => !carriedOver.includes(name))
  expect(set.toSorted()).toEqual(expected.toSorted())
  const ignored = lineOf('ignore_startup_parameters').replace(/^.*= /, '').split(', ')
  expect(ignored.toSorted()).toEqual(expected.map(([name]) => name).toSorted())
})

import { expect, test } from 'vitest'
import { sampleAgent } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import { wordsOf, wordsOfProfile } from '../domain/search/words-of.ts'
import { ourMigrations } from './migration-files.ts'

const bench = storeBench()

test('profiles that were stored with their accents alone get the words that they would be stored with today', async () => {
  const description = 'Polishes r\u00E9sum\u00E9s for Zo\u00EB; \u0301 \uD55C\uAD6D\uC5B4 \u304C \u0439.'
  const { profile } = sampleAgent()
  const { id, profile: stored } = await bench.store.transaction((tx) =>
    addAgent(tx, { profile: { ...profile, name: 'Old', description } }),
  )
  const words = wordsOfProfile(stored)
  const old = words.filter((word) => !['resumes', 'zoe', '\u0438'].includes(word))
  expect(old).toEqual(expect.arrayContaining([...wordsOf(description)]))
  await bench.sql.query('update agent_search set words = array_to_tsvector($2::text[]) where agent_id = $1', [id, old])
  await bench.sql.query('delete from known_words')
  const migration = (await ourMigrations()).find(({ name }) => name.includes('words-without-accents'))
  await bench.sql.query(migration?.sql ?? '')
  const { rows } = await bench.sql.query<{ words: string[]; known: string[] }>(
    `select tsvector_to_array(words) as words, array(select word from known_words) as known
     from agent_search where agent_id = $1`,
    [id],
  )
  expect(rows[0]?.words.toSorted()).toEqual(words.toSorted())
  expect(rows[0]?.known.toSorted()).toEqual(['resumes', 'zoe', '\u0438'])
})

import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type Migration, migrationOf, ourMigrations, statementsOf } from './migration-files.ts'

/** The last file of the first release: nothing older than it has to work beside these. */
const FIRST_RELEASE_ENDS_WITH = '0056-what-waits-for-operators.sql'

const version = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')).version as string

type Rule = { readonly why: string; readonly found: (statement: string, created: ReadonlySet<string>) => boolean }

const rules: readonly Rule[] = [
  {
    why: 'takes away what an older node may still use',
    found: (statement, created) =>
      (/^(drop|truncate)\b/.test(statement) && !created.has(droppedIndexOf(statement))) ||
      /\bdrop (column|default|not null)\b/.test(statement),
  },
  { why: 'renames what an older node knows by its name', found: (statement) => /\brename\b/.test(statement) },
  {
    why: 'changes a column that an older node reads and writes',
    found: (statement) => /\balter (column )?\S+ (set data )?type\b/.test(statement),
  },
  {
    why: 'asks for what an older node does not give',
    found: (statement) =>
      /\bset not null\b/.test(statement) ||
      (/\badd (column )?(if not exists )?\S+ .*\bnot null\b/.test(statement) &&
        !/\b(default|generated)\b/.test(statement)) ||
      /\badd constraint\b/.test(statement),
  },
  {
    why: 'holds up every writer while an index is built: create it concurrently',
    found: (statement, created) => {
      const table = /^create (?:unique )?index (?!concurrently).*?\bon (\S+)/.exec(statement)?.[1]
      return table !== undefined && !created.has(table)
    },
  },
]

/** What is left of an index that broke off while it was built concurrently is dropped before it is built again. */
const droppedIndexOf = (statement: string): string =>
  /^drop index concurrently if exists (\w+)/.exec(statement)?.[1] ?? ''

const CREATED = /^create (?:(?:unlogged )?table|(?:unique )?index concurrently) (?:if not exists )?(\w+)/
const createdIn = (statements: readonly string[]): ReadonlySet<string> =>
  new Set(statements.flatMap((statement) => CREATED.exec(statement)?.[1] ?? []))

/** Why a file would hurt the nodes of the release before, which run on while it is applied and after. */
function dangersOf(migration: Migration): readonly string[] {
  const statements = statementsOf(migration).map((statement) => statement.toLowerCase().replaceAll(/\s+/g, ' '))
  const created = createdIn(statements)
  const dangers = rules.filter(({ found }) => statements.some((statement) => found(statement, created)))
  return unusedSince(migration) ? [] : dangers.map(({ why }) => why)
}

/** A file that says so takes away what no node uses any more: none of this release, and none of the one before it. */
function unusedSince({ sql }: Migration): boolean {
  const since = /^-- contract: unused since (\d+)\.(\d+)\.\d+$/m.exec(sql)
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return since !== null && (Number(since[1]) < major || (Number(since[1]) === major && Number(since[2]) < minor))
}

test('no file since the first release hurts the nodes of the release before it', async () => {
  const later = (await ourMigrations()).filter(({ name }) => name > FIRST_RELEASE_ENDS_WITH)
  expect(
    later.map((file) => ({ name: file.name, dangers: dangersOf(file) })).filter(({ dangers }) => dangers.length > 0),
  ).toEqual([])
})

describe('a file', () => {
  test.each([
    ['drop table shelves', 'takes away'],
    ['drop index concurrently if exists shelves_by_height', 'takes away'],
    ['alter table shelves drop column height', 'takes away'],
    ['alter table shelves rename column height to rise', 'renames'],
    ['alter table shelves alter column height type bigint', 'changes a column'],
    ['alter table shelves\n  add column depth integer not null', 'asks for'],
    ['alter table shelves alter column height set not null', 'asks for'],
    ['alter table shelves add constraint shelves_are_high check (height > 0)', 'asks for'],
    ['create index shelves_by_height on shelves (height)', 'holds up'],
  ])('may not say %s', (sql, why) => {
    expect(dangersOf(migrationOf('9999-later.sql', `${sql};\n`))).toEqual([expect.stringContaining(why)])
  })

  test.each([
    'alter table shelves add column depth integer',
    'alter table shelves add column depth integer not null default 1',
    'create table books (title text not null);\ncreate index books_by_title on books (title)',
    'create unlogged table loans (title text not null);\ncreate index loans_by_title on loans (title)',
    'create index concurrently shelves_by_height on shelves (height)',
    'drop index concurrently if exists by_height;\ncreate index concurrently by_height on shelves (height)',
    '-- contract: unused since 0.0.9\nalter table shelves drop column height',
  ])('may say %s', (sql) => {
    expect(dangersOf(migrationOf('9999-later.sql', `${sql};\n`))).toEqual([])
  })

  test('may not take away what this release has only just stopped to use', () => {
    const sql = `-- contract: unused since ${version}\nalter table shelves drop column height;\n`
    expect(dangersOf(migrationOf('9999-later.sql', sql))).toHaveLength(1)
  })
})

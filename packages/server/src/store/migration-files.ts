import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Migration = { readonly name: string; readonly sql: string; readonly hash: string }

const directory = join(import.meta.dirname, 'migrations')

/** Read once: this process needs the migrations it was started with, even if a newer version adds files to the directory. */
let names: Promise<readonly string[]> | null = null

export const ourNames = (): Promise<readonly string[]> => {
  names ??= readdir(directory).then((files) => files.filter((name) => name.endsWith('.sql')).sort())
  return names
}

export const ourMigrations = async (): Promise<readonly Migration[]> =>
  Promise.all((await ourNames()).map(async (name) => migrationOf(name, await readFile(join(directory, name), 'utf8'))))

export const migrationOf = (name: string, sql: string): Migration => ({
  name,
  sql,
  hash: createHash('sha256').update(sql).digest('hex'),
})

/**
 * CREATE INDEX CONCURRENTLY does not block writers, but cannot run in a transaction. Such a file is sent statement by statement,
 * and from its start again after a failure: it first drops what a failed attempt left, then creates.
 */
export const isOneByOne = ({ sql }: Migration): boolean => /\bconcurrently\b/i.test(withoutComments(sql))

/** Only for files without function bodies: a statement ends with a semicolon at the end of a line. */
export const statementsOf = ({ sql }: Migration): readonly string[] =>
  withoutComments(sql)
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

const withoutComments = (sql: string): string => sql.replaceAll(/--.*$/gm, '')

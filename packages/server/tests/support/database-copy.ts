import { Client } from 'pg'
import { inject } from 'vitest'
import { urlOf } from './database-url.ts'

/** A copy of a database that nobody is connected to, changed by these statements and dropped after the look at it. */
export async function withChangedCopy<T>(
  databaseUrl: string,
  statements: readonly string[],
  look: (copyUrl: string) => Promise<T>,
): Promise<T> {
  const { adminUrl } = inject('database')
  const source = new URL(databaseUrl).pathname.slice(1)
  const copy = `${source}_copy`
  const copyUrl = urlOf(adminUrl, copy)
  await run(adminUrl, [`create database ${copy} template ${source}`])
  try {
    await run(copyUrl, statements)
    return await look(copyUrl)
  } finally {
    await run(adminUrl, [`drop database ${copy} with (force)`])
  }
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

import { createLog, migrate } from '@guildhall/server/desk'
import { checkDatabaseUrl } from '../check-database-url.ts'
import { PlainError } from '../plain-error.ts'

export async function migrateDatabase(): Promise<void> {
  const url = process.env.DATABASE_URL
  if (!url) throw new PlainError('DATABASE_URL is missing: the PostgreSQL to bring up to date.')
  checkDatabaseUrl(url)
  const applied = await migrate(url, createLog('warn'))
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`)
}

import { createLog, migrate } from '@guildhall/server'

export async function migrateDatabase(): Promise<void> {
  const url = process.env.DATABASE_URL
  if (!url)
    throw Object.assign(new Error('DATABASE_URL is missing: the PostgreSQL to bring up to date.'), {
      name: 'PlainError',
    })
  const applied = await migrate(url, createLog('warn'))
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`)
}

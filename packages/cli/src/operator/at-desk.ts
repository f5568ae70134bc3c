import { findRunning } from '@guildhall/sandbox'
import { createLog, type Desk, openDesk } from '@guildhall/server'
import { PlainError } from '../plain-error.ts'

/** Works on the database at DATABASE_URL, or on that of the sandbox which runs on the data directory. */
export async function atDesk(work: (desk: Desk) => Promise<void>): Promise<void> {
  const desk = openDesk(await databaseUrl(), createLog('warn'))
  try {
    await work(desk)
  } finally {
    await desk.close()
  }
}

async function databaseUrl(): Promise<string> {
  const given = process.env.DATABASE_URL
  if (given) return given
  const dataDir = process.env.GUILDHALL_DATA_DIR || './.guildhall'
  const running = await findRunning(dataDir)
  if (running) return running.databaseUrl
  throw new PlainError(`DATABASE_URL is missing: the PostgreSQL of the service. No sandbox runs on ${dataDir} either.`)
}

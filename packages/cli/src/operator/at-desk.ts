import { findRunning } from '@guildhall/sandbox/running-sandbox'
import { createLog, type Desk, openDesk } from '@guildhall/server/desk'
import { checkDatabaseUrl } from '../check-database-url.ts'
import { PlainError } from '../plain-error.ts'
import { sandboxDataDir } from '../sandbox-data-dir.ts'

/** Works on the database at DATABASE_URL, or on that of the sandbox running on the data directory. */
export async function atDesk(work: (desk: Desk) => Promise<void>): Promise<void> {
  const { url, offsetMs } = await operatedDatabase()
  const desk = openDesk(url, createLog('warn'), () => Date.now() + offsetMs)
  try {
    await work(desk)
  } catch (error) {
    throw await explained(error, desk)
  } finally {
    await desk.close()
  }
}

/** A database that has not been migrated is told in a sentence. */
export async function explained(error: unknown, { whyUnknown }: Pick<Desk, 'whyUnknown'>): Promise<unknown> {
  const why = await whyUnknown(error)
  return why === null ? error : new PlainError(why)
}

/** The registry's key from the environment, or that of the sandbox running on the data directory. */
export async function registryKey(): Promise<Uint8Array> {
  const given = process.env.GUILDHALL_REGISTRY_KEY ?? (await findRunning(sandboxDataDir()))?.keys.registry ?? ''
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(given)) {
    throw new PlainError('GUILDHALL_REGISTRY_KEY is missing or not a key: 64 hexadecimal digits, as the nodes have it.')
  }
  return Uint8Array.from(Buffer.from(given.replace(/^0x/, ''), 'hex'))
}

/** The database, and how far its nodes' clock is ahead of this machine's: only a sandbox moves the clock. */
export async function operatedDatabase(): Promise<{ readonly url: string; readonly offsetMs: number }> {
  const given = process.env.DATABASE_URL
  const running = await findRunning(sandboxDataDir())
  if (running && (!given || given === running.databaseUrl))
    return { url: running.databaseUrl, offsetMs: await offsetOf(running.controlUrl) }
  if (!given)
    throw new PlainError(
      `DATABASE_URL is missing: the PostgreSQL of the service. No sandbox runs on ${sandboxDataDir()} either.`,
    )
  checkDatabaseUrl(given)
  return { url: given, offsetMs: 0 }
}

async function offsetOf(controlUrl: string): Promise<number> {
  const { offsetMs } = (await (await fetch(`${controlUrl}/clock`)).json()) as { readonly offsetMs: number }
  return offsetMs
}

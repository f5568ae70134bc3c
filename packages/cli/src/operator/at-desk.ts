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

/** The registry's key as the nodes are told it, or that of the sandbox which runs on the data directory. */
export async function registryKey(): Promise<Uint8Array> {
  const given = process.env.GUILDHALL_REGISTRY_KEY ?? (await findRunning(dataDir()))?.keys.registry ?? ''
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(given)) {
    throw new PlainError('GUILDHALL_REGISTRY_KEY is missing or not a key: 64 hexadecimal digits, as the nodes have it.')
  }
  return Uint8Array.from(Buffer.from(given.replace(/^0x/, ''), 'hex'))
}

const dataDir = (): string => process.env.GUILDHALL_DATA_DIR || './.guildhall'

async function databaseUrl(): Promise<string> {
  const given = process.env.DATABASE_URL
  if (given) return given
  const running = await findRunning(dataDir())
  if (running) return running.databaseUrl
  throw new PlainError(
    `DATABASE_URL is missing: the PostgreSQL of the service. No sandbox runs on ${dataDir()} either.`,
  )
}

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Hex } from '@guildhall/protocol'
import { writeDurably } from '../write-durably.ts'

/** Keys of a sandbox: made once, kept in its data directory, worth nothing anywhere else. */
export type SandboxKeys = {
  readonly registry: Hex
  readonly escrow: Hex
  readonly gas: Hex
  /** The wallet from which the house pays. */
  readonly house: Hex
}

export async function sandboxKeys(path: string): Promise<SandboxKeys> {
  const kept = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<SandboxKeys>) : {}
  const fresh = (): Hex => `0x${randomBytes(32).toString('hex')}`
  const keys = { registry: fresh(), escrow: fresh(), gas: fresh(), house: fresh(), ...kept }
  if (Object.keys(kept).length === Object.keys(keys).length) return keys
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  await writeDurably(path, JSON.stringify(keys))
  return keys
}

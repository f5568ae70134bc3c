import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Chain } from '../chains/start-chain.ts'
import type { IdentityPlace } from '../identity/start-identity-provider.ts'
import { writeDurably } from '../write-durably.ts'
import type { SandboxKeys } from './sandbox-keys.ts'

/** What another node needs to join a sandbox that is running. */
export type RunningSandbox = {
  readonly controlUrl: string
  readonly databaseUrl: string
  readonly keys: SandboxKeys
  readonly chains: readonly ChainPlace[]
  readonly facilitatorUrl: string
  readonly smtpUrl: string
  readonly identity: IdentityPlace
}

/** A chain as a service is told of it. */
export type ChainPlace = Pick<Chain, 'network' | 'serviceRpcUrl' | 'usdc'>

const fileIn = (dataDir: string): string => join(resolve(dataDir), 'running.json')

export const announceRunning = (dataDir: string, running: RunningSandbox): Promise<void> =>
  writeDurably(fileIn(dataDir), JSON.stringify(running))

export const forgetRunning = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true })

/** The sandbox on this data directory, when it answers. */
export async function findRunning(dataDir: string): Promise<RunningSandbox | null> {
  try {
    const running = JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as RunningSandbox
    const answer = await fetch(`${running.controlUrl}/clock`, { signal: AbortSignal.timeout(10_000) })
    return answer.ok ? running : null
  } catch {
    return null
  }
}

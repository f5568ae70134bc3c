import { encodePublicKey, SECOND } from '@guildhall/protocol'
import type { Settings } from './config/settings.ts'
import { SettingsError } from './config/settings-error.ts'
import type { EvmChain } from './payments/evm-chain.ts'
import type { World } from './ports/world.ts'

type Start = {
  readonly chain: EvmChain
  readonly settings: Settings
  readonly registryKey: Uint8Array
  whyNotReady(): Promise<string | null>
  /** Session settings of the database that are not as they should be. */
  missingSettings(): Promise<readonly string[]>
  /** How far this machine's clock is from the database's in milliseconds; 0 when that is close enough. */
  clockDifference(): Promise<number>
}

/** What must be true before this node may serve; reports all problems at once. */
export async function checkStart(world: World, { chain, settings, registryKey, ...database }: Start): Promise<void> {
  const why = await database.whyNotReady()
  if (why !== null) throw new SettingsError([why])
  const problems = [
    ...clockProblems(await database.clockDifference()),
    ...sessionProblems(await database.missingSettings()),
    ...(await networkProblems(world, chain, settings)),
    ...(await registryProblems(world, registryKey)),
  ]
  if (problems.length > 0) throw new SettingsError(problems)
  await world.ledger.check()
}

const clockProblems = (off: number): readonly string[] =>
  off === 0
    ? []
    : [`This machine’s clock is ${(off / SECOND).toFixed(1)} s from PostgreSQL’s: timers and signatures go by it.`]

/** A pooler that does not pass on the start parameters would change timeouts and search results. */
const sessionProblems = (missing: readonly string[]): readonly string[] =>
  missing.length === 0
    ? []
    : [
        `The sessions of the database lack ${missing.join(', ')}: a pooler has to set them itself, see deploy/pgbouncer.ini.`,
      ]

/** An RPC endpoint that is down now may come back; one of the wrong chain must never be asked about a payment. */
async function networkProblems(
  { escrow, log }: World,
  chain: EvmChain,
  { networks }: Settings,
): Promise<readonly string[]> {
  const checked = await Promise.all(
    networks.map(async ({ network }) => ({
      network,
      found: await chain.checkNetwork(network, escrow?.address ?? null),
    })),
  )
  return checked.flatMap(({ network, found }) => {
    if (!('kind' in found)) return found
    log.warn('a chain cannot be reached at the start', { network, cause: found.cause })
    return []
  })
}

/** Checkpoints are verified with the key in the first entry, so it can never change. */
async function registryProblems({ store }: World, registryKey: Uint8Array): Promise<readonly string[]> {
  const genesis = await store.ledgerEntry(1)
  if (genesis === null || genesis.publicKey === encodePublicKey(registryKey)) return []
  return ['GUILDHALL_REGISTRY_KEY is not the key of this ledger: its first entry names another.']
}

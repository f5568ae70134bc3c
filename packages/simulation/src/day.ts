import { BASE, DAY, MINUTE, POLYGON, SECOND } from '@guildhall/protocol'
import type { Hex, Rules, ServedNetwork, Transfer } from '@guildhall/server/parts'
import { type Bug, seamsOf } from './bugs.ts'
import { createSimulatedChain, type SimulatedChain } from './chain/simulated-chain.ts'
import type { FacilitatorState } from './chain/simulated-facilitator.ts'
import { createDatabase, type Database } from './store/simulated-store.ts'
import { type Chance, createChance } from './time/chance.ts'
import { createScheduler, type Scheduler } from './time/scheduler.ts'
import { createTrace, type Trace } from './time/trace.ts'

/** Start of a simulated history; any time would do. */
const BEGIN = Date.UTC(2030, 0, 1)

export const ESCROW_WALLET: Hex = '0x00000000000000000000000000000000000e5c40'

/** The escrow key, shared by all nodes. */
export type SignerState = {
  /** Probability that it cannot be reached. */
  busy: number
  /** Called with the id of a payout that is to be signed. */
  readonly onSign: ((transferId: string) => void)[]
}

/** Everything that the nodes of one seed share, and what is recorded of it. */
export type Day = {
  readonly seed: number
  /** The chains take back more than they called final, up to the depth to which the service watches what has settled. */
  readonly isDeep: boolean
  /** The database is lost, and only an older copy of it is left. */
  readonly isRestored: boolean
  readonly chance: Chance
  readonly trace: Trace
  readonly scheduler: Scheduler
  readonly database: Database
  readonly chains: ReadonlyMap<string, SimulatedChain>
  readonly facilitator: FacilitatorState
  readonly signer: SignerState
  readonly rules: Rules
  readonly bug: Bug | null
  /** Every transfer that was ever on record, by its authorization: an older copy of the database has forgotten some. */
  readonly ever: Map<string, { readonly transfer: Transfer; readonly paysOut: string | null }>
  /** Errors that no caller caused and that no injected fault explains. */
  readonly surprises: string[]
  /** Alarms that the faults of this day explain. */
  readonly explained: Set<string>
  tell(words: () => string): void
}

export function createDay(seed: number, options: { readonly bug: Bug | null; readonly kept: boolean }): Day {
  const chance = createChance(seed)
  const trace = createTrace(options.kept, BEGIN)
  // On some days most calls are answered at once, on others everything is delayed.
  const scheduler = createScheduler(chance, trace, BEGIN, chance.pick([0, 0.3, 0.7, 0.9]))
  const tell = (words: () => string) => trace.tell(scheduler.now(), words)
  const luck = chance.next()
  const isDeep = luck < DEEP_DAYS
  const rules = rulesOf(chance, isDeep)
  const chainOf = ({ network }: ServedNetwork) => createSimulatedChain(network, chance, () => scheduler.now(), tell)
  const database = createDatabase(scheduler, chance, seamsOf(options.bug, chance))
  return {
    seed,
    isDeep,
    isRestored: luck >= 1 - RESTORED_DAYS,
    chance,
    trace,
    scheduler,
    database,
    chains: new Map(rules.networks.map((served) => [served.network, chainOf(served)])),
    facilitator: { mood: 'ok', onSettle: [] },
    signer: { busy: 0, onSign: [] },
    rules,
    bug: options.bug,
    ever: new Map(),
    surprises: [],
    explained: new Set(ALWAYS_EXPLAINED),
    tell,
  }
}

/** The share of deep days. All others are judged without allowances. */
const DEEP_DAYS = 0.2
const RESTORED_DAYS = 0.04

/** What a faulty chain or a long silence explains. */
const ALWAYS_EXPLAINED: readonly string[] = ['the escrow wallet could not be looked at for a while']

/** Small budgets and short waits, so that limits are reached. */
function rulesOf(chance: Chance, isDeep: boolean): Rules {
  const served = (network: string, usdc: Hex): ServedNetwork => {
    const finality = 3 + chance.below(3)
    return {
      network,
      usdc,
      domain: { name: 'USD Coin', version: '2' },
      confirmations: 1 + chance.below(2),
      finality,
      reorgDepth: isDeep ? finality + 5 + chance.below(80) : network === POLYGON.id ? finality + 3 : undefined,
    }
  }
  const base = served(BASE.id, `0x${'b'.repeat(40)}`)
  const polygon = served(POLYGON.id, `0x${'c'.repeat(40)}`)
  // The other rules concern nothing that happens on a simulated day.
  const rules: Partial<Rules> = {
    serviceName: 'Guildhall',
    baseUrl: 'http://guildhall.example',
    paymentsEnabled: true,
    networks: chance.happens(0.2) ? [base, polygon] : [base],
    registrationDifficulty: 1,
    registrationLimited: false,
    activation: 'registered',
    minBountyAtomic: 1n,
    posterExpiryCapDays: 90,
    bondSlotAtomic: 1_000_000n,
    maxPayoutAtomic: 1_000_000_000n,
    maxHourlyPayoutAtomic: chance.happens(0.2) ? 8_000_000n : 1_000_000_000n,
    claimBudget: { base: 2, perAcceptedDelivery: 1, perExpiredClaim: 1, floor: 1, max: 5 },
    settleInRequestMs: 2 * SECOND,
  }
  return rules as Rules
}

export const LAST_DAYS = 90 * DAY
/** On an older copy of the database payouts stay paused, and would be tried for all of those days. */
export const LAST_MINUTES = 15 * MINUTE

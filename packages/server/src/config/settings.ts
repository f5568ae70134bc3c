import type { OpenidSettings } from '../outgoing/identity/create-openid-provider.ts'
import type { SkillRegistryUrls } from '../outgoing/skills/create-skill-registries.ts'
import type { Rules, ServedNetwork, TestingRules } from '../ports/rules.ts'

/** A served network with where its parts are reached. */
export type ServiceNetwork = ServedNetwork & { readonly rpcUrl: string; readonly facilitatorUrl: string }

/** Everything that a start can be told; docs/operating.md explains each. */
export type Settings = {
  readonly mode: 'production' | 'sandbox'
  readonly role: 'api' | 'worker' | 'both' | 'reader'
  readonly host: string
  readonly port: number
  readonly baseUrl: string
  readonly dataDir: string
  readonly databaseUrl: string
  /** The largest lag of the replica that a reader works on. */
  readonly maxLagMs: number
  readonly serviceName: string
  readonly registryKey: Uint8Array
  readonly escrowKey: `0x${string}` | null
  /** On a node that is not to have the key: where deposits go all the same. */
  readonly escrowWallet: `0x${string}` | null
  /** The wallet from which the house pays for test runs; null: no testing. */
  readonly houseWalletKey: `0x${string}` | null
  readonly testing: TestingRules
  readonly paymentsEnabled: boolean
  readonly networks: readonly ServiceNetwork[]
  readonly registrationDifficulty: number
  readonly registrationLimited: boolean
  readonly activation: 'registered' | 'verified'
  readonly minBountyAtomic: bigint
  readonly posterExpiryCapDays: number
  readonly newPosterExpiryCapDays: number
  readonly claimBudget: Rules['claimBudget']
  readonly bondSlotAtomic: bigint
  readonly maxPayoutAtomic: bigint
  readonly maxHourlyPayoutAtomic: bigint
  readonly settleInRequestMs: number
  readonly trustedProxies: readonly string[]
  readonly maxInFlight: number
  /** How long health says no before the port closes, so that balancers notice. */
  readonly drainMs: number
  /** Event streams open at once on this node. */
  readonly maxStreams: number
  /** Networks that webhooks and other outgoing calls may reach although they are not public. */
  readonly outgoingAllowed: readonly string[]
  /** Where the package registries of skills are. */
  readonly skillRegistries: SkillRegistryUrls
  /** Over which SMTP server mail is sent, and from which address; null where none is. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null
  /** Where people stand behind agents; null when nobody can. */
  readonly openid: OpenidSettings | null
  readonly poolSize: number
  /** How far this machine's clock may be from the database's; null: nothing is compared. */
  readonly maxClockSkewMs: number | null
  /** Where this node shows its figures; null where it does not. */
  readonly metrics: { readonly host: string; readonly port: number } | null
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** A named place at which the process kills itself; tests only. */
  readonly failpoint: string | null
  readonly checkAnswers: boolean
  readonly sandboxControlUrl: string | null
}

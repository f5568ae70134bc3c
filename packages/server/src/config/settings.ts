import type { OpenidSettings } from '../outgoing/identity/create-openid-provider.ts'
import type { SkillRegistryUrls } from '../outgoing/skills/create-skill-registries.ts'
import type { Rules, ServedNetwork } from '../ports/rules.ts'

/** A served network and the addresses of its services. */
export type ServiceNetwork = ServedNetwork & {
  readonly rpcUrl: string
  readonly secondRpcUrl?: string | undefined
  readonly facilitatorUrl: string
}

/** Every setting of a node, the operator's rules among them; docs/operating.md explains each. */
export type Settings = Omit<Rules, 'networks'> & {
  readonly mode: 'production' | 'sandbox'
  readonly role: 'api' | 'worker' | 'both' | 'reader'
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly databaseUrl: string
  /** For a reader: how far its replica may lag behind. */
  readonly maxLagMs: number
  readonly registryKey: Uint8Array
  readonly escrowKey: `0x${string}` | null
  /** Set on nodes that must not have the key, but still take deposits. */
  readonly escrowWallet: `0x${string}` | null
  /** The wallet from which the house pays for test runs; null: no testing. */
  readonly houseWalletKey: `0x${string}` | null
  readonly networks: readonly ServiceNetwork[]
  readonly trustedProxies: readonly string[]
  readonly maxInFlight: number
  /** How long health answers no before the port closes, so that load balancers notice. */
  readonly drainMs: number
  /** Event streams open at once on this node. */
  readonly maxStreams: number
  /** Networks that webhooks and other outgoing calls may reach although they are not public. */
  readonly outgoingAllowed: readonly string[]
  /** The addresses of the package registries that skills are looked up in. */
  readonly skillRegistries: SkillRegistryUrls
  /** The SMTP server and the sender of mails; null when no mail is sent. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null
  /** The provider by which people are linked to agents; null when there is none. */
  readonly openid: OpenidSettings | null
  readonly poolSize: number
  /** How far this machine's clock may be from the database's; null when they are not compared. */
  readonly maxClockSkewMs: number | null
  /** Where this node serves its metrics; null when it does not. */
  readonly metrics: { readonly host: string; readonly port: number } | null
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** A named place at which the process kills itself; tests only. */
  readonly failpoint: string | null
  readonly checkAnswers: boolean
  readonly sandboxControlUrl: string | null
  /** Names of settings that were given and not used: misspelt, or about something that is turned off. */
  readonly unread: readonly string[]
}

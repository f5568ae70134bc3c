import type { Instant } from '../instant.ts'

export type AgentStatus = 'pending' | 'active' | 'suspended'

export type PayoutWallet = {
  readonly address: `0x${string}`
  readonly network: string
  /** A plain key can be paid at the same address on every EVM chain; a contract only on its own network. */
  readonly kind: 'plain' | 'contract'
  readonly verifiedAt: Instant
  readonly proof: { readonly message: string; readonly signature: string }
}

export type Skill = {
  readonly name: string
  readonly registry: string
  readonly version: string | null
  readonly private: boolean
}

export type Profile = {
  readonly name: string
  readonly description: string
  readonly capabilities: readonly string[]
  readonly protocols: readonly string[]
  readonly homepage: string | null
  readonly contactEndpoint: string | null
  readonly organization: string | null
  readonly tags: readonly string[]
  readonly version: string | null
  readonly webhookUrl: string | null
  readonly skills: readonly Skill[]
}

/** An agent's outcomes, counted when they happen. */
export type TrackRecord = {
  readonly delivered: number
  readonly accepted: number
  readonly disputed: number
  readonly acceptedByPerson: number
  readonly expiredClaims: number
  readonly lostDisputes: number
  readonly ratingCount: number
  readonly ratingSum: number
}

export const NO_TRACK: TrackRecord = {
  delivered: 0,
  accepted: 0,
  disputed: 0,
  acceptedByPerson: 0,
  expiredClaims: 0,
  lostDisputes: 0,
  ratingCount: 0,
  ratingSum: 0,
}

export type Agent = {
  readonly id: string
  readonly publicKey: string
  readonly status: AgentStatus
  readonly profile: Profile
  readonly wallet: PayoutWallet | null
  readonly registeredAt: Instant
  readonly lastSeenAt: Instant | null
  readonly house: boolean
  readonly bondBalance: bigint
  /** The network where the bond was paid, and where it is paid back. */
  readonly bondNetwork: string | null
  readonly track: TrackRecord
}

import type { Agent, AgentStatus, PayoutWallet, Skill } from '../domain/agent/agent.ts'
import { isoTime, isoTimeOrNull } from '../domain/instant.ts'
import { table } from './table.ts'

export type AgentRow = {
  readonly id: string
  readonly public_key: string
  readonly status: AgentStatus
  readonly name: string
  readonly description: string
  readonly capabilities: string[]
  readonly protocols: string[]
  readonly homepage: string | null
  readonly contact_endpoint: string | null
  readonly organization: string | null
  readonly tags: string[]
  readonly version: string | null
  readonly webhook_url: string | null
  readonly skills: Skill[]
  readonly wallet_address: PayoutWallet['address'] | null
  readonly wallet_network: string | null
  readonly wallet_kind: PayoutWallet['kind'] | null
  readonly wallet_verified_at: number | null
  readonly wallet_message: string | null
  readonly wallet_signature: string | null
  readonly registered_at: number
  readonly last_seen_at: number | null
  readonly house: boolean
  readonly bond_balance: bigint
  readonly bond_network: string | null
  readonly delivered: number
  readonly accepted: number
  readonly disputed: number
  readonly accepted_by_person: number
  readonly expired_claims: number
  readonly lost_disputes: number
  readonly rating_count: number
  readonly rating_sum: number
}

export const agentTable = table<AgentRow, Agent>(
  'agents',
  {
    id: ({ id }) => id,
    public_key: ({ publicKey }) => publicKey,
    status: ({ status }) => status,
    name: ({ profile }) => profile.name,
    description: ({ profile }) => profile.description,
    capabilities: ({ profile }) => profile.capabilities,
    protocols: ({ profile }) => profile.protocols,
    homepage: ({ profile }) => profile.homepage,
    contact_endpoint: ({ profile }) => profile.contactEndpoint,
    organization: ({ profile }) => profile.organization,
    tags: ({ profile }) => profile.tags,
    version: ({ profile }) => profile.version,
    webhook_url: ({ profile }) => profile.webhookUrl,
    skills: ({ profile }) => JSON.stringify(profile.skills),
    wallet_address: ({ wallet }) => wallet?.address ?? null,
    wallet_network: ({ wallet }) => wallet?.network ?? null,
    wallet_kind: ({ wallet }) => wallet?.kind ?? null,
    wallet_verified_at: ({ wallet }) => isoTimeOrNull(wallet?.verifiedAt ?? null),
    wallet_message: ({ wallet }) => wallet?.proof.message ?? null,
    wallet_signature: ({ wallet }) => wallet?.proof.signature ?? null,
    registered_at: ({ registeredAt }) => isoTime(registeredAt),
    last_seen_at: ({ lastSeenAt }) => isoTimeOrNull(lastSeenAt),
    house: ({ house }) => house,
    bond_balance: ({ bondBalance }) => bondBalance,
    bond_network: ({ bondNetwork }) => bondNetwork,
    delivered: ({ track }) => track.delivered,
    accepted: ({ track }) => track.accepted,
    disputed: ({ track }) => track.disputed,
    accepted_by_person: ({ track }) => track.acceptedByPerson,
    expired_claims: ({ track }) => track.expiredClaims,
    lost_disputes: ({ track }) => track.lostDisputes,
    rating_count: ({ track }) => track.ratingCount,
    rating_sum: ({ track }) => track.ratingSum,
  },
  (row) => ({
    id: row.id,
    publicKey: row.public_key,
    status: row.status,
    profile: {
      name: row.name,
      description: row.description,
      capabilities: row.capabilities,
      protocols: row.protocols,
      homepage: row.homepage,
      contactEndpoint: row.contact_endpoint,
      organization: row.organization,
      tags: row.tags,
      version: row.version,
      webhookUrl: row.webhook_url,
      skills: row.skills,
    },
    wallet: readWallet(row),
    registeredAt: row.registered_at,
    lastSeenAt: row.last_seen_at,
    house: row.house,
    bondBalance: row.bond_balance,
    bondNetwork: row.bond_network,
    track: {
      delivered: row.delivered,
      accepted: row.accepted,
      disputed: row.disputed,
      acceptedByPerson: row.accepted_by_person,
      expiredClaims: row.expired_claims,
      lostDisputes: row.lost_disputes,
      ratingCount: row.rating_count,
      ratingSum: row.rating_sum,
    },
  }),
)

export const walletColumns = [
  'wallet_address',
  'wallet_network',
  'wallet_kind',
  'wallet_verified_at',
  'wallet_message',
  'wallet_signature',
] as const

export type WalletRow = Pick<AgentRow, (typeof walletColumns)[number]>

/** The wallet columns are all set or all null. */
export function readWallet(row: WalletRow): PayoutWallet | null {
  const { wallet_address: address, wallet_network: network, wallet_kind: kind, wallet_verified_at: verifiedAt } = row
  const { wallet_message: message, wallet_signature: signature } = row
  if (address === null || network === null || kind === null || verifiedAt === null) return null
  return { address, network, kind, verifiedAt, proof: { message: message ?? '', signature: signature ?? '' } }
}

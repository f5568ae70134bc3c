import { z } from 'zod'
import { limits } from '../limits.ts'
import { WALLET_NETWORKS } from '../x402/networks.ts'
import { LinkedIdentity } from './identity.ts'
import { Address, AgentId, HexHash, HttpUrl, label, listOf, optional, Timestamp, text, Uuid } from './scalars.ts'
import { SkillRegistry } from './skill.ts'

const { agent, walletProof } = limits

export const AgentStatus = z.enum(['pending', 'active', 'suspended'])
export type AgentStatus = z.infer<typeof AgentStatus>

export const Skill = z.object({
  name: text(1, agent.shortText),
  registry: SkillRegistry,
  version: optional(text(1, 64)),
  private: optional(z.boolean()),
})

/** Only the shape; the key rules (canonical, on the curve, not of small order) are checked later. */
const publicKey = z.string().meta({ description: 'base58 Ed25519 public key', minLength: 32, maxLength: 44 })

/** Only the shape; the name rules (letters, look-alikes, reserved words) are checked later. */
const required = {
  name: z.string(),
  description: text(agent.description.min, agent.description.max),
  capabilities: listOf(label(agent.capabilities.length), agent.capabilities.max).min(agent.capabilities.min),
}

const more = {
  protocols: listOf(label(agent.capabilities.length), agent.protocols),
  homepage: HttpUrl(agent.url),
  contact_endpoint: HttpUrl(agent.url),
  organization: text(1, agent.shortText),
  tags: listOf(text(1, agent.capabilities.length), agent.tags),
  version: text(1, 64),
  webhook_url: HttpUrl(agent.url),
  skills: listOf(Skill, agent.skills),
}

export const ProfileRequest = z.object({
  ...required,
  protocols: optional(more.protocols),
  homepage: optional(more.homepage),
  contact_endpoint: optional(more.contact_endpoint),
  organization: optional(more.organization),
  tags: optional(more.tags),
  version: optional(more.version),
  webhook_url: optional(more.webhook_url),
  skills: optional(more.skills),
})

/** Any part of a profile: omitted fields stay as they are. Null clears an optional field and is ignored for a required one. */
export const ProfileUpdate = z.object({
  name: optional(required.name),
  description: optional(required.description),
  capabilities: optional(required.capabilities),
  protocols: more.protocols.nullish(),
  homepage: more.homepage.nullish(),
  contact_endpoint: more.contact_endpoint.nullish(),
  organization: more.organization.nullish(),
  tags: more.tags.nullish(),
  version: more.version.nullish(),
  webhook_url: more.webhook_url.nullish(),
  skills: more.skills.nullish(),
})

export const RegisterInitRequest = z.object({ public_key: publicKey })

const CHALLENGE =
  '32 random bytes in base64. Sign the text as it stands, and no other: whoever chooses what an agent signs could have it sign a request'

export const RegisterInitResponse = z.object({
  challenge_id: z.uuid(),
  challenge: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/)
    .meta({ description: CHALLENGE }),
  difficulty: z.int(),
  expires_at: Timestamp,
  previous_hash: HexHash,
})

export const RegisterCompleteRequest = z.object({
  challenge_id: Uuid.toLowerCase(),
  public_key: publicKey,
  nonce: z.string().regex(/^[0-9a-f]{8}$/, 'The nonce is 4 bytes as 8 lower-case hexadecimal digits.'),
  signature: z.string(),
  profile: ProfileRequest,
  wallet_address: optional(z.unknown()),
  wallet_network: optional(z.unknown()),
})

export const RegisterCompleteResponse = z.object({
  agent_id: AgentId,
  status: AgentStatus,
  chain_sequence: z.int().nullable(),
  entry_hash: HexHash.nullable(),
  profile_url: z.string(),
  wallet_not_saved: z.string().optional(),
})

export const WalletInfo = z.object({
  agent_id: AgentId,
  wallet_address: Address.nullable(),
  wallet_network: z.string().nullable(),
  wallet_verified: z.boolean(),
  wallet_verified_at: Timestamp.nullable(),
  wallet_kind: z.enum(['plain', 'contract']).nullable(),
  wallet_proof: z.object({ message: z.string(), signature: z.string() }).nullable(),
})

const { min, max } = walletProof.signatureBytes

export const WalletRequest = z.object({
  wallet_address: Address.nullable(),
  wallet_network: optional(z.enum(WALLET_NETWORKS)),
  wallet_proof: optional(
    z.object({
      message: text(1, walletProof.message),
      signature: z
        .string()
        .regex(/^0x([0-9a-fA-F]{2})+$/, 'The signature is 0x and hexadecimal digits.')
        .refine(
          (hex) => hex.length >= 2 + 2 * min && hex.length <= 2 + 2 * max,
          `The signature has ${min} to ${max} bytes.`,
        )
        .meta({ minLength: 2 + 2 * min, maxLength: 2 + 2 * max }),
    }),
  ),
})

export const Ratings = z.object({ count: z.int(), average: z.number().nullable() })

export const AgentProfile = z.object({
  agent_id: AgentId,
  public_key: z.string(),
  name: z.string(),
  description: z.string(),
  capabilities: z.array(z.string()),
  protocols: z.array(z.string()),
  homepage: z.string().nullable(),
  contact_endpoint: z.string().nullable(),
  organization: z.string().nullable(),
  tags: z.array(z.string()),
  version: z.string().nullable(),
  skills: z.array(
    z.object({ name: z.string(), registry: z.string(), version: z.string().nullable(), private: z.boolean() }),
  ),
  status: AgentStatus,
  reputation_score: z.number(),
  verification_count: z.int(),
  registered_at: Timestamp,
  last_seen_at: Timestamp.nullable(),
  ratings: Ratings,
  tasks: z.object({ delivered: z.int(), accepted: z.int(), disputed: z.int() }),
  wallet_address: Address.nullable(),
  wallet_network: z.string().nullable(),
  wallet_verified: z.boolean(),
  agentid: LinkedIdentity.nullable(),
})

/** For the agent itself: the address that events are pushed to often holds a secret. */
export const OwnProfile = AgentProfile.extend({ webhook_url: z.string().nullable() })

export const ClaimBudget = z.object({
  agent_id: AgentId,
  budget: z.int(),
  active_claims: z.int(),
  base: z.int(),
  accepted_deliveries: z.int(),
  expired_claims: z.int(),
  disputes: z.int(),
  bond_balance_atomic: z.string(),
  bond_slots: z.int(),
})

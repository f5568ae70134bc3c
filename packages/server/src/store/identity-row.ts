import type { IdentityLinkError, IdentityLinkStatus } from '@guildhall/protocol'
import type { AgentIdentity, IdentityLink } from '../domain/identity-link/identity-link.ts'
import { isoTime, isoTimeOrNull } from '../domain/instant.ts'
import { toBytes, toHex } from './hash-bytes.ts'
import { table } from './table.ts'

export type IdentityLinkRow = {
  readonly id: string
  readonly agent_id: string
  readonly issuer: string
  readonly status: IdentityLinkStatus
  readonly error: IdentityLinkError | null
  readonly state_hash: Buffer
  readonly binding_hash: Buffer | null
  readonly code_hash: Buffer | null
  readonly created_at: number
  readonly expires_at: number
  readonly ended_at: number | null
}

const bytesOrNull = (hex: string | null): Buffer | null => (hex === null ? null : toBytes(hex))
const hexOrNull = (bytes: Buffer | null): string | null => (bytes === null ? null : toHex(bytes))

export const identityLinkTable = table<IdentityLinkRow, IdentityLink>(
  'identity_links',
  {
    id: ({ id }) => id,
    agent_id: ({ agentId }) => agentId,
    issuer: ({ issuer }) => issuer,
    status: ({ status }) => status,
    error: ({ error }) => error,
    state_hash: ({ stateHash }) => toBytes(stateHash),
    binding_hash: ({ bindingHash }) => bytesOrNull(bindingHash),
    code_hash: ({ codeHash }) => bytesOrNull(codeHash),
    created_at: ({ createdAt }) => isoTime(createdAt),
    expires_at: ({ expiresAt }) => isoTime(expiresAt),
    ended_at: ({ endedAt }) => isoTimeOrNull(endedAt),
  },
  (row) => ({
    id: row.id,
    agentId: row.agent_id,
    issuer: row.issuer,
    status: row.status,
    error: row.error,
    stateHash: toHex(row.state_hash),
    bindingHash: hexOrNull(row.binding_hash),
    codeHash: hexOrNull(row.code_hash),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
  }),
)

export type AgentIdentityRow = {
  readonly agent_id: string
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly email_verified: boolean
  readonly display_name: string | null
  readonly linked_at: number
}

export const agentIdentityTable = table<AgentIdentityRow, AgentIdentity>(
  'agent_identities',
  {
    agent_id: ({ agentId }) => agentId,
    issuer: ({ issuer }) => issuer,
    subject: ({ subject }) => subject,
    email: ({ email }) => email,
    email_verified: ({ emailVerified }) => emailVerified,
    display_name: ({ displayName }) => displayName,
    linked_at: ({ linkedAt }) => isoTime(linkedAt),
  },
  (row) => ({
    agentId: row.agent_id,
    issuer: row.issuer,
    subject: row.subject,
    email: row.email,
    emailVerified: row.email_verified,
    displayName: row.display_name,
    linkedAt: row.linked_at,
  }),
)

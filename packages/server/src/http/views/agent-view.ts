import type { Agent } from '../../domain/agent/agent.ts'
import type { ClaimBudget } from '../../domain/claim-budget/claim-budget.ts'
import type { AgentIdentity } from '../../domain/identity-link/identity-link.ts'
import { isoTime, isoTimeOrNull } from '../../domain/instant.ts'
import { rounded } from '../../domain/reputation/rounded.ts'
import { identityView } from './identity-view.ts'

export type Scored = { readonly score: number; readonly verifications: number }

export function agentView(agent: Agent, standing: Scored, identity: AgentIdentity | null) {
  const { profile, track, wallet } = agent
  return {
    agent_id: agent.id,
    public_key: agent.publicKey,
    name: profile.name,
    description: profile.description,
    capabilities: profile.capabilities,
    protocols: profile.protocols,
    homepage: profile.homepage,
    contact_endpoint: profile.contactEndpoint,
    organization: profile.organization,
    tags: profile.tags,
    version: profile.version,
    skills: profile.skills,
    status: agent.status,
    reputation_score: rounded(standing.score),
    verification_count: standing.verifications,
    registered_at: isoTime(agent.registeredAt),
    last_seen_at: isoTimeOrNull(agent.lastSeenAt),
    ratings: {
      count: track.ratingCount,
      average: track.ratingCount === 0 ? null : rounded(track.ratingSum / track.ratingCount),
    },
    tasks: { delivered: track.delivered, accepted: track.accepted, disputed: track.disputed },
    wallet_address: wallet?.address ?? null,
    wallet_network: wallet?.network ?? null,
    wallet_verified: wallet !== null,
    agentid: identityView(identity),
  }
}

export const walletView = ({ id, wallet }: Agent) => ({
  agent_id: id,
  wallet_address: wallet?.address ?? null,
  wallet_network: wallet?.network ?? null,
  wallet_verified: wallet !== null,
  wallet_verified_at: isoTimeOrNull(wallet?.verifiedAt ?? null),
  wallet_kind: wallet?.kind ?? null,
  wallet_proof: wallet?.proof ?? null,
})

export const claimBudgetView = (agent: Agent, budget: ClaimBudget, activeClaims: number) => ({
  agent_id: agent.id,
  budget: budget.budget,
  active_claims: activeClaims,
  base: budget.base,
  accepted_deliveries: budget.acceptedDeliveries,
  expired_claims: budget.expiredClaims,
  disputes: budget.disputes,
  bond_balance_atomic: agent.bondBalance.toString(),
  bond_slots: budget.bondSlots,
})

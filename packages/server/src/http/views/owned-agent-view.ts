import { isoTime, isoTimeOrNull } from '../../domain/instant.ts'
import type { OwnedAgent } from '../../domain/owner/owned-agent.ts'

export const ownedAgentView = ({ agent, linkedAt }: OwnedAgent) => ({
  agent_id: agent.id,
  name: agent.profile.name,
  status: agent.status,
  linked_at: isoTime(linkedAt),
  last_seen_at: isoTimeOrNull(agent.lastSeenAt),
  wallet_address: agent.wallet?.address ?? null,
  tasks: { delivered: agent.track.delivered, accepted: agent.track.accepted, disputed: agent.track.disputed },
})

import { canonicalJson } from '@guildhall/protocol'
import type { Agent, Profile } from '../../domain/agent/agent.ts'
import type { Caller } from '../../domain/caller.ts'
import { profileHash } from '../../domain/ledger/documents.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { appendEntry } from '../append-entry.ts'
import { signedChange } from '../signed-change.ts'
import { ownAgent } from './own-agent.ts'
import { refuseNameOfService, usableName } from './usable-name.ts'

/** Changes the given fields and keeps the rest. Changed capabilities, protocols or skills are recorded in the ledger. */
export async function updateProfile(
  world: World,
  caller: Caller,
  idOrName: string,
  changes: Partial<Profile>,
): Promise<Agent> {
  const agentId = await ownAgent(world, caller, idOrName, 'Only the agent itself changes its profile.')
  if (changes.name !== undefined) usableName(changes.name, 'name')
  const { agent, pendingEntry } = await signedChange(world, caller, async (tx) => {
    const before = (await tx.lockAgent(agentId)) ?? refuse('unknown_agent')
    const { name, nameKey } = usableName(changes.name ?? before.profile.name, 'name')
    if (name !== before.profile.name) refuseNameOfService(world, nameKey)
    const agent: Agent = { ...before, profile: { ...before.profile, ...changes, name } }
    if ((await tx.updateProfile(agent.id, agent.profile, nameKey)) === 'name_taken') refuse('name_taken')
    if (abilitiesOf(agent) === abilitiesOf(before)) return { agent, pendingEntry: null }
    const entry = { type: 'capability_update', agent, profileHash: profileHash(agent) } as const
    return { agent, pendingEntry: await appendEntry(world, tx, entry) }
  })
  if (pendingEntry !== null) await world.ledger.sealed(pendingEntry)
  return agent
}

const abilitiesOf = ({ profile: { capabilities, protocols, skills } }: Agent): string =>
  canonicalJson({ capabilities, protocols, skills })

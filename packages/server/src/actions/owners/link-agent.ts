import { agentCodeOf, limits, readAgentCode } from '@guildhall/protocol'
import type { Caller } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Owner, OwnerCaller } from '../../domain/owner/owner.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { signedChange } from '../signed-change.ts'
import { ownerChange } from './owner-change.ts'
import { secretHash } from './secret-token.ts'

const CODE_BYTES = 32

export type AgentCode = { readonly code: string; readonly expiresAt: Instant }

/** A code that the owner gives to an agent; it is shown once and stored hashed. */
export async function createAgentCode(world: World, caller: OwnerCaller): Promise<AgentCode> {
  const code = newCode(world)
  const expiresAt = world.clock.now() + limits.owner.codeMs
  const hash = secretHash(readAgentCode(code) ?? code)
  await ownerChange(world, caller, (tx) => tx.saveAgentCode(caller.owner.id, hash, expiresAt))
  return { code, expiresAt }
}

const newCode = (world: World): string => agentCodeOf(world.random.bytes(CODE_BYTES)) ?? newCode(world)

export type Linked = { readonly owner: Owner; readonly linkedAt: Instant }

/**
 * Links the agent to the owner whose code it has signed. An agent that has another owner keeps that one, and the code stays
 * valid.
 */
export const linkAgent = (world: World, caller: Caller, text: string): Promise<Linked> => {
  const code = readAgentCode(text) ?? refuse('invalid_code')
  return signedChange(world, caller, async (tx) => {
    const now = world.clock.now()
    const ownerId = (await tx.takeAgentCode(secretHash(code), now)) ?? refuse('invalid_code')
    const link = await tx.linkAgent(caller.agent.id, ownerId, now)
    if (link.ownerId !== ownerId) refuse('conflict', {}, 'The agent has an owner already: unlink it first.')
    const owner = (await tx.owner(ownerId)) ?? refuse('invalid_code')
    return { owner, linkedAt: link.linkedAt }
  })
}

/** Unlinks the calling agent from its owner; returns whether it had one. */
export const leaveOwner = (world: World, caller: Caller): Promise<boolean> =>
  signedChange(world, caller, (tx) => tx.unlinkAgent(caller.agent.id, null))

/** Unlinks one of the owner's agents. */
export async function unlinkAgent(world: World, caller: OwnerCaller, agentId: string): Promise<void> {
  const unlinked = await ownerChange(world, caller, (tx) => tx.unlinkAgent(agentId, caller.owner.id))
  if (!unlinked) refuse('not_found', { resource: 'agent' }, 'No agent with this id is linked to you.')
}

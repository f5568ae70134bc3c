import { endpoints, hashText, limits } from '@guildhall/protocol'
import type { Caller } from '../../domain/caller.ts'
import type { IdentityLink } from '../../domain/identity-link/identity-link.ts'
import type { Standing } from '../../domain/rate-limit/standing.ts'
import { refuse } from '../../domain/refusal.ts'
import type { IdentityProvider } from '../../ports/identity-provider.ts'
import type { World } from '../../ports/world.ts'
import { countAgainst } from '../count-against.ts'
import { newId } from '../new-id.ts'
import { signedChange } from '../signed-change.ts'

export type StartedLink = { readonly link: IdentityLink; readonly url: string; readonly standing: Standing }

const STATE_BYTES = 32

/** Starts a link. The state is only in the returned address: a person needs that address to link to the agent. */
export async function startIdentityLink(world: World, caller: Caller): Promise<StartedLink> {
  const provider = configuredProvider(world)
  const state = Buffer.from(world.random.bytes(STATE_BYTES)).toString('base64url')
  const address = await provider.addressFor(state)
  if (address.kind === 'unavailable') refuseUnreachable()
  const now = world.clock.now()
  const link: IdentityLink = {
    id: newId(world, 'lnk'),
    agentId: caller.agent.id,
    issuer: provider.issuer,
    status: 'pending',
    error: null,
    stateHash: hashText(state),
    bindingHash: null,
    codeHash: null,
    createdAt: now,
    expiresAt: now + limits.identityLink.lifeMs,
    endedAt: null,
  }
  const standing = await signedChange(world, caller, async (tx) => {
    const counted = await countAgainst(endpoints.startIdentityLink.limit, world, tx, caller.agent.id)
    await tx.insertIdentityLink(link)
    return counted
  })
  return { link, url: address.url, standing }
}

export const configuredProvider = ({ identity }: World): IdentityProvider => identity ?? refuse('agentid_unavailable')

export function refuseUnreachable(): never {
  refuse('agentid_unavailable', {}, 'The identity provider cannot be reached right now. Nothing was done; try again.')
}

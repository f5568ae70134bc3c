import { hashText } from '@guildhall/protocol'
import type { IdentityLink } from '../../domain/identity-link/identity-link.ts'
import { asDue } from '../../domain/identity-link/lifecycle.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'

/** The link by the id its agent was given, expired if its time is over. */
export async function findIdentityLink({ store, clock }: World, id: string): Promise<IdentityLink> {
  const link = await store.identityLink(id)
  if (link === null) refuse('not_found', { resource: 'link' }, 'There is no link with this id.')
  return asDue(link, clock.now())
}

/** The link by the state a browser came back with; it must still be pending, at the provider that is configured now. */
export async function waitingLink({ store, clock, identity }: World, state: string): Promise<IdentityLink> {
  const found = await store.identityLinkOfState(hashText(state))
  if (found === null || found.issuer !== identity?.issuer)
    refuse('bad_request', {}, 'No link waits for this. Open the address that the agent gave you once more.')
  return mustWait(asDue(found, clock.now()))
}

export function mustWait(link: IdentityLink): IdentityLink {
  return link.status === 'pending' ? link : refuse('bad_request', {}, OVER[link.status])
}

const OVER = {
  linked: 'This link has been made already. There is nothing left to do.',
  failed: 'This link has failed. The agent has to begin a new one.',
  expired: 'This link was good for fifteen minutes, and they are over. The agent has to begin a new one.',
} as const

export const refuseOtherBrowser = (): never =>
  refuse(
    'bad_request',
    {},
    'This link is being made in another browser, or this browser keeps no cookies. Go on there, or have the agent begin a new one.',
  )

import { hashText } from '@guildhall/protocol'
import type { Agent } from '../../domain/agent/agent.ts'
import type { AgentIdentity, IdentityLink } from '../../domain/identity-link/identity-link.ts'
import { asDue, type IdentityLinkTrigger, linkAfter } from '../../domain/identity-link/lifecycle.ts'
import { maskedEmail } from '../../domain/identity-link/masked-email.ts'
import { shownName } from '../../domain/identity-link/shown-name.ts'
import { refuse } from '../../domain/refusal.ts'
import type { ProvidedIdentity } from '../../ports/identity-provider.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { changeOf } from '../signed-change.ts'
import { mustWait, refuseOtherBrowser, waitingLink } from './find-identity-link.ts'
import { configuredProvider, refuseUnreachable } from './start-identity-link.ts'

/** A person's decision, as the browser sends it. */
export type Decision = {
  readonly state: string
  readonly bindingFor: (linkId: string) => string | null
}

/** Links the agent to the person: uses the code once, checks the provider's answer, and writes everything in one transaction. */
export async function confirmIdentityLink(
  world: World,
  decision: Decision & { readonly code: string },
): Promise<{ readonly link: IdentityLink; readonly agent: Agent; readonly identity: AgentIdentity }> {
  const provider = configuredProvider(world)
  const { link, bindingHash } = await boundLink(world, decision)
  const taken = await changeOf(world, (tx) => tx.takeIdentityCode(link.id, bindingHash, hashText(decision.code)))
  if (!taken) refuse('bad_request', {}, USED)
  const found = await provider.identify(decision)
  if (found.kind === 'unavailable') refuseUnreachable()
  if (found.kind === 'code refused')
    refuse('bad_request', {}, `The identity provider no longer stands by its answer. ${AGAIN}`)
  if (found.kind === 'untrue') {
    await end(world, link.id, 'identity_untrue')
    return refuse('bad_request', {}, 'What the identity provider says does not hold, so nothing was linked.')
  }
  const identity = await linkTo(world, link, found.identity)
  if (identity === null) refuse('bad_request', {}, TAKEN)
  const agent = (await world.store.agent(link.agentId)) ?? refuse('not_found', { resource: 'agent' })
  return { link, agent, identity }
}

/** The person declines. */
export async function refuseIdentityLink(world: World, decision: Decision): Promise<IdentityLink> {
  configuredProvider(world)
  const { link } = await boundLink(world, decision)
  await end(world, link.id, 'access_denied')
  return link
}

const AGAIN = 'Nothing was linked. Open the address that the agent gave you once more.'
/** Of two clicks the second is refused while the first may still link the agent. */
const USED =
  'This answer of the identity provider has been used already, perhaps by a second click. If the agent is not linked to you, open the address that it gave you once more.'
const TAKEN =
  'This identity stands behind another agent already, and can stand behind one only. That agent has to unlink it first.'

/** Only the browser that was asked for consent may decide; any other is refused. */
async function boundLink(world: World, { state, bindingFor }: Decision) {
  const link = await waitingLink(world, state)
  const binding = bindingFor(link.id)
  const bindingHash = binding === null ? null : hashText(binding)
  if (bindingHash === null || bindingHash !== link.bindingHash) return refuseOtherBrowser()
  return { link, bindingHash }
}

async function linkTo(world: World, { id, agentId }: IdentityLink, found: ProvidedIdentity) {
  const identity: AgentIdentity = {
    agentId,
    issuer: found.issuer,
    subject: found.subject,
    email: maskedEmail(found.email),
    emailVerified: found.emailVerified,
    displayName: shownName(found.name),
    linkedAt: world.clock.now(),
  }
  return changeOf(world, async (tx) => {
    await lockWaiting(world, tx, id)
    const isSaved = await tx.saveIdentity(identity)
    await endIn(world, tx, id, isSaved ? 'consent' : 'identity_taken')
    return isSaved ? identity : null
  })
}

const end = (world: World, id: string, trigger: IdentityLinkTrigger): Promise<void> =>
  changeOf(world, (tx) => endIn(world, tx, id, trigger))

async function endIn(world: World, tx: Transaction, id: string, trigger: IdentityLinkTrigger): Promise<void> {
  const ended = linkAfter(await lockWaiting(world, tx, id), trigger, world.clock.now())
  if (ended !== null) await tx.endIdentityLink(ended)
}

async function lockWaiting({ clock }: World, tx: Transaction, id: string): Promise<IdentityLink> {
  const link = (await tx.lockIdentityLink(id)) ?? refuse('not_found', { resource: 'link' })
  return mustWait(asDue(link, clock.now()))
}

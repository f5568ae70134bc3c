import { hashText } from '@guildhall/protocol'
import type { Agent } from '../../domain/agent/agent.ts'
import type { IdentityLink } from '../../domain/identity-link/identity-link.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { refuseOtherBrowser, waitingLink } from './find-identity-link.ts'
import { configuredProvider, refuseUnreachable } from './start-identity-link.ts'

/** The provider's answer through a browser, and the browser's binding secrets, one per link. */
export type ProviderAnswer = {
  readonly state: string
  readonly code: string | null
  readonly error: string | null
  readonly issuer: string | null
  readonly bindingFor: (linkId: string) => string | null
}

export type ConsentToAsk = {
  readonly link: IdentityLink
  readonly agent: Agent
  readonly providerName: string
  /** The new binding secret for the browser's cookie; null when the browser already has one. */
  readonly newBinding: string | null
}

const BINDING_BYTES = 32

/**
 * Only binds the link to the first browser that brings the answer. Anyone who finds the answer later, in a history or a log,
 * cannot use it in another browser.
 */
export async function askForConsent(world: World, answer: ProviderAnswer): Promise<ConsentToAsk> {
  const provider = configuredProvider(world)
  const link = await waitingLink(world, answer.state)
  const isItsAnswer = await provider.isAnswerFrom(answer.issuer)
  if (typeof isItsAnswer === 'object') refuseUnreachable()
  if (!isItsAnswer) refuse('bad_request', {}, 'This answer is not from the identity provider that was asked.')
  if (answer.code === null && answer.error === null)
    refuse(
      'bad_request',
      {},
      'The identity provider has given no answer. Open the address that the agent gave you once more.',
    )
  const known = answer.bindingFor(link.id)
  const binding = known ?? Buffer.from(world.random.bytes(BINDING_BYTES)).toString('base64url')
  const codeHash = answer.code === null ? null : hashText(answer.code)
  const isBound = await world.store.transaction((tx) => tx.bindIdentityLink(link.id, hashText(binding), codeHash))
  if (!isBound) refuseOtherBrowser()
  const agent = (await world.store.agent(link.agentId)) ?? refuse('not_found', { resource: 'agent' })
  return { link, agent, providerName: provider.name, newBinding: known === null ? binding : null }
}

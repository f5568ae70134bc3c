import { limits } from '@guildhall/protocol'
import { agentsPage } from '@guildhall/web'
import { type AgentCode, createAgentCode, unlinkAgent } from '../../actions/owners/link-agent.ts'
import { isoTime } from '../../domain/instant.ts'
import { type OwnerPageContext, type PageAnswer, seeOther } from '../../http/page.ts'
import { ownedAgentView } from '../../http/views/owned-agent-view.ts'
import type { World } from '../../ports/world.ts'
import { goneAlready } from '../gone-already.ts'
import { consoleAnswer, visitorOf } from './console-answer.ts'

const AGENTS_PATH = '/console/agents'

/** The owner's agents, with the code that was just created, if any. */
export async function showAgents(
  world: World,
  context: OwnerPageContext,
  code: AgentCode | null = null,
): Promise<PageAnswer> {
  const agents = await world.store.ownedAgents(context.session.owner.id, limits.owner.agentsShown)
  const main = agentsPage({
    agents: agents.map(ownedAgentView),
    code: code === null ? null : { text: code.code, until: isoTime(code.expiresAt) },
    baseUrl: world.rules.baseUrl,
    visitor: visitorOf(context),
  })
  return consoleAnswer(world, context, { title: 'Agents', main })
}

/** Shows the code in the answer itself instead of redirecting: only its hash is stored. */
export const showCode = async (world: World, context: OwnerPageContext): Promise<PageAnswer> =>
  showAgents(world, context, await createAgentCode(world, context.session))

export async function letGoOfAgent(world: World, context: OwnerPageContext): Promise<PageAnswer> {
  await unlinkAgent(world, context.session, context.form.agent ?? '').catch(goneAlready)
  return seeOther(AGENTS_PATH)
}

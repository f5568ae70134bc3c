import { overviewPage, testingSection } from '@guildhall/web'
import type { Task } from '../../domain/task/task.ts'
import type { OwnerPageContext, PageAnswer } from '../../http/page.ts'
import { ownedAgentView } from '../../http/views/owned-agent-view.ts'
import { taskView } from '../../http/views/task-view.ts'
import type { World } from '../../ports/world.ts'
import { consoleAnswer, visitorOf } from './console-answer.ts'

const SHOWN = 20
const WAITING = 50
const AGENTS = 20

export async function showOverview(world: World, context: OwnerPageContext): Promise<PageAnswer> {
  const ownerId = context.session.owner.id
  const before = context.query.get('before')
  const [found, waiting, toConfirm, agents] = await Promise.all([
    world.store.ownerTasks({ ownerId, statuses: null, before, limit: SHOWN + 1 }),
    before === null ? world.store.tasksWaitingForOwner(ownerId, WAITING) : [],
    world.store.pendingIntakes(context.session.owner.email, context.now),
    world.store.ownedAgents(ownerId, AGENTS),
  ])
  const tasks = found.slice(0, SHOWN)
  const last = found.length > SHOWN ? tasks.at(-1) : undefined
  const main = overviewPage({
    tasks: tasks.map(shown),
    waiting: waiting.map(shown),
    older: last ? `/console?before=${last.id}` : null,
    agents: agents.map(ownedAgentView),
    more: [testingSection(toConfirm.length)],
    visitor: visitorOf(context),
  })
  return consoleAnswer(world, context, { title: 'Console', main })
}

const shown = (task: Task) => taskView({ task, creatorName: null })

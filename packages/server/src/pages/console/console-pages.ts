import { type Page, requireOwner } from '../../http/page.ts'
import type { SandboxPlaces } from '../../ports/sandbox-control.ts'
import type { World } from '../../ports/world.ts'
import { letGoOfAgent, showAgents, showCode } from './agents.ts'
import { postNewTask, showNewTask } from './new-task.ts'
import { showOverview } from './overview.ts'
import { payNetworks } from './pay-networks.ts'
import { DEEDS, doToTask, showTask } from './task.ts'
import { testingPages } from './testing.ts'
import { walletScripts } from './wallet-scripts.ts'

/** The pages on which people post tasks and decide on what is delivered. */
export function consolePages(world: World, chains: SandboxPlaces['networks'] | null): readonly Page[] {
  const networks = payNetworks(world, chains)
  const shown = (path: string, render: Parameters<typeof requireOwner>[0]): Page => ({
    path,
    session: true,
    render: requireOwner(render),
  })
  const sent = (path: string, render: Parameters<typeof requireOwner>[0]): Page => ({
    path,
    method: 'POST',
    render: requireOwner(render),
  })
  return [
    ...walletScripts(),
    ...testingPages(world),
    shown('/console', (context) => showOverview(world, context)),
    shown('/console/agents', (context) => showAgents(world, context)),
    sent('/console/agents/codes', (context) => showCode(world, context)),
    sent('/console/agents/unlink', (context) => letGoOfAgent(world, context)),
    shown('/console/tasks/new', (context) => showNewTask(world, networks, context)),
    sent('/console/tasks', (context) => postNewTask(world, networks, context)),
    shown('/console/tasks/{id}', (context) => showTask(world, networks, context)),
    ...Object.entries(DEEDS).map(([name, deed]) =>
      sent(`/console/tasks/{id}/${name}`, (context) => doToTask(world, networks, context, deed)),
    ),
  ]
}
